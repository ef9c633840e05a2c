import { beforeAll, describe, expect, it } from 'vitest'
import { create, created, patch, pathOf } from './support/endpoints.ts'
import { newTenant, type Tenant } from './support/tenant.ts'

describe('a request for a webhook endpoint', () => {
  let acme: Tenant
  let globex: Tenant
  let id: string
  beforeAll(async () => {
    ;[acme, globex] = [await newTenant(), await newTenant()]
    id = (await created(acme)).id
  })

  const refusals: [object, string][] = [
    [{ event_types: ['job.exploded'] }, '/event_types/0'],
    [{ event_types: ['job.accepted', 'job'] }, '/event_types/1'],
    [{ event_types: [] }, '/event_types'],
    [{ event_types: '*' }, '/event_types'],
    [{ event_types: null }, '/event_types'],
    [{ url: '' }, '/url'],
    [{ url: null }, '/url'],
    [{ url: 'http://hooks.acme.com/' }, '/url'],
    [{ url: 'https://10.0.0.1/' }, '/url'],
    [{ url: `https://hooks.acme.com/${'a'.repeat(2048)}` }, '/url'],
    [{ description: 'a'.repeat(501) }, '/description'],
    [{ signing: 'rsa' }, '/signing'],
    [{ signing: null }, '/signing'],
    [{ ordered: 'yes' }, '/ordered'],
    [{ max_per_second: 0 }, '/max_per_second'],
    [{ max_per_second: 1001 }, '/max_per_second'],
    [{ max_per_second: 1.5 }, '/max_per_second'],
    [{ max_per_second: '10' }, '/max_per_second'],
    [{ metadata: { a: 1 } }, '/metadata/a'],
    [{ metadata: null }, '/metadata'],
    [{ headers: ['X-Own'] }, '/headers'],
    [{ headers: { 'X-Own': 1 } }, '/headers/X-Own'],
    [{ headers: { 'Webhook-Id': 'mine' } }, '/headers/Webhook-Id'],
    [{ headers: { 'X/Own~': 'mine' } }, '/headers/X~1Own~0'],
    [{ headers: { 'X-Own': 'a\r\nX-More: b' } }, '/headers/X-Own'],
    [{ headers: { 'X-Own': 'a', 'x-own': 'b' } }, '/headers/x-own'],
    [{ headers: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`X-${at}`, 'v'])) }, '/headers'],
    [{ colour: 'red' }, '/colour'],
    [{ id: 'we_x' }, '/id'],
    [{ public_keys: [] }, '/public_keys'],
    [{ disabled_reason: null }, '/disabled_reason'],
  ]

  it.each([...refusals, [{ status: 'disabled' }, '/status']] as [object, string][])(
    'to create one with %j is refused',
    async (more, pointer) => {
      const { status, body } = await create(acme, more)

      expect([status, body.errors.map((error) => error.pointer)]).toEqual([400, [pointer]])
    },
  )

  it.each([
    ...refusals,
    [{ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }, '/secret'],
    [{ status: 'failing' }, '/status'],
    [{ status: null }, '/status'],
  ] as [object, string][])('to change one to %j is refused', async (change, pointer) => {
    const { status, body } = await patch(acme, id, change)

    expect([status, body.errors.map((error) => error.pointer)]).toEqual([400, [pointer]])
  })

  it('names every place that is wrong, and tells no value', async () => {
    const { body } = await create(acme, {
      secret: 'whsec_mine',
      headers: { Host: 'hush', 'X-Own': ' hush ' },
    })

    expect(body.errors.map(({ pointer }) => pointer)).toEqual(['/headers/Host', '/headers/X-Own', '/secret'])
    expect(JSON.stringify(body)).not.toMatch(/hush|whsec_mine/)
  })

  it('does not get a long name back whole', async () => {
    const { body } = await create(acme, { headers: { ['n'.repeat(10_000)]: 'v' } })

    expect(body.errors[0]?.pointer.length).toBeLessThan(200)
  })

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate_secret'],
    ['POST', '/test'],
    ['POST', '/enable'],
  ])('by %s of %j finds no one else’s, and none that is unknown or malformed', async (method, verb) => {
    const options = method === 'PATCH' ? { json: {} } : {}
    const ask = (tenant: Tenant, which: string) => tenant.client.request(method, pathOf(which, verb), options)

    const answers = [
      await ask(globex, id),
      await ask(acme, `we_${'0'.repeat(28)}`),
      await ask(acme, 'we_x'),
      await ask(acme, 'we_%00'),
    ]

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1)
  })
})
