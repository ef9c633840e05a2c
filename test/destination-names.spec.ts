import { describe, expect, it } from 'vitest'
import type { Body } from './support/client.ts'
import { inLedger } from './support/control.ts'
import { askedAbout, become, nameThat } from './support/names.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const create = (acme: Tenant, name: string, headers: Record<string, string> = {}) =>
  acme.client.post(
    '/v1/webhook_endpoints',
    { url: `https://${name}/hook`, event_types: ['job.accepted'] },
    headers,
  )

/** Requests that the tenant has left in this minute, this one taken off. */
async function remaining(acme: Tenant): Promise<number> {
  const { headers } = await acme.client.get('/v1/webhook_endpoints')
  return Number(/r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1])
}

/** What became of the attempts, once there are this many. */
const errorsOf = (acme: Tenant, count: number) =>
  until(`${count} attempts are on record`, async () => {
    const [row] = await inLedger<{ attempts: string }>(acme.id, 'select attempts from deliveries')
    const made = JSON.parse(row?.attempts ?? '[]') as { status_code: number | null; error: string | null }[]
    return made.length >= count && made.map(({ status_code, error }) => [status_code, error])
  })

describe('a name', () => {
  it.each(['public', 'public-v6', 'alias'])('that is %s may have a webhook', async (behaviour) => {
    const acme = await newTenant()
    const name = nameThat(behaviour)

    await expectStatus(201, create(acme, name))

    expect(await askedAbout(name)).toBe(2)
  })

  it.each(['private', 'mixed', 'mixed-v6', 'mapped', 'alias-private', 'alias-own', 'nxdomain', 'empty'])(
    'that is %s is refused, and nothing is stored',
    async (behaviour) => {
      const acme = await newTenant()

      const { status, body } = await create(acme, nameThat(behaviour))

      expect([status, body.errors[0]?.pointer]).toEqual([400, '/url'])
      expect(await inLedger(acme.id, 'select id from webhook_endpoints')).toEqual([])
    },
  )

  it.each(['servfail', 'servfail-v6', 'refused', 'truncated', 'broken', 'garbage', 'shapeless', 'hangs'])(
    'that cannot be looked up (%s) is refused for now',
    async (behaviour) => {
      const acme = await newTenant()

      const { status, headers, body } = await create(acme, nameThat(behaviour))

      expect([status, body.type]).toEqual([503, 'https://api.gateway.test/problems/unavailable'])
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
      expect(body.detail).toContain('cannot be looked up for now')
      expect(await inLedger(acme.id, 'select id from webhook_endpoints')).toEqual([])
    },
  )

  it('is taken as soon as it can be looked up again', async () => {
    const acme = await newTenant()
    const name = nameThat('servfail')
    await expectStatus(503, create(acme, name))

    await become(name, 'public')

    await expectStatus(201, create(acme, name))
  })

  it('is looked up for no change of an endpoint that is not there', async () => {
    const acme = await newTenant()
    const name = nameThat('public')
    const change = (id: string) =>
      acme.client.patch(`/v1/webhook_endpoints/${id}`, { url: `https://${name}/` })
    const { body } = await expectStatus(201, create(acme, nameThat('public')))

    await expectStatus(404, change(`${body.id.slice(0, -1)}_`))
    expect(await askedAbout(name)).toBe(0)

    const before = await remaining(acme)
    await expectStatus(200, change(body.id))
    expect(await askedAbout(name)).toBe(2)
    expect(before - (await remaining(acme))).toBe(2)
  })

  it('is not looked up again for a repetition, which is answered whatever became of it', async () => {
    const acme = await newTenant()
    const name = nameThat('public')
    const key = { 'Idempotency-Key': 'once' }
    const first = await expectStatus(201, create(acme, name, key))
    await become(name, 'private')
    const asked = await askedAbout(name)

    const { body } = await expectStatus(201, create(acme, name, key))

    expect(body).toEqual({ ...first.body, secret: null })
    expect(await askedAbout(name)).toBe(asked)
  })

  it('is not looked up for a request over the rate', async () => {
    const acme = await newTenant({ requests_per_minute: 1 })
    await expectStatus(201, create(acme, nameThat('public')))
    const name = nameThat('public')

    await expectStatus(429, create(acme, name))

    expect(await askedAbout(name)).toBe(0)
  })

  it('whose answer turned private since it was stored is not called', async () => {
    const acme = await newTenant()
    const name = nameThat('public')
    await expectStatus(201, create(acme, name))

    await become(name, 'private')
    await acme.submitted()

    expect(await errorsOf(acme, 1)).toEqual([[null, 'url_refused']])
  })

  it('that cannot be looked up at the attempt is tried again', async () => {
    const acme = await newTenant()
    const name = nameThat('public')
    await expectStatus(201, create(acme, name))

    await become(name, 'servfail')
    await acme.submitted()
    const first = await errorsOf(acme, 1)
    await become(name, 'private')
    const both = await errorsOf(acme, 2)

    expect(first).toEqual([[null, 'lookup_unavailable']])
    expect(both.slice(0, 2)).toEqual([
      [null, 'lookup_unavailable'],
      [null, 'url_refused'],
    ])
  })

  it('of this machine is called without being looked up', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    const url = receiver.url.replace('127.0.0.1', 'localhost')
    const { body }: { body: Body } = await expectStatus(
      201,
      acme.client.post('/v1/webhook_endpoints', { url, event_types: ['job.accepted'] }),
    )
    await acme.submitted()

    await receiver.event('job.accepted')

    expect(body.url).toBe(url)
    expect(await askedAbout('localhost')).toBe(0)
  })
})
