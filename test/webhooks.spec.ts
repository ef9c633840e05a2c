import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, it } from 'vitest'
import { inLedger } from './support/control.ts'
import { newReceiver, type Received } from './support/receiver.ts'
import { expectStatus, newTenant, summarizeJob } from './support/tenant.ts'
import { pause, until } from './support/wait.ts'

const headersOf = ({ headers }: Received) => headers as Record<string, string>

describe('a tenant with a webhook endpoint', () => {
  it('is told accepted, result available and failed by three events that verify', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    const { secret } = await acme.listens(receiver)

    const good = await acme.submitted()
    const bad = await acme.submitted(summarizeJob({ model: 'test/content-filtered' }))
    const received = await receiver.arrived(4)

    const told = (id: string) =>
      received.filter(({ event }) => event.data.id === id).map(({ event }) => event)
    expect(told(good.id).map(({ type, data }) => [type, data.status, data.sequence])).toEqual([
      ['job.accepted', 'accepted', 1],
      ['job.result_available', 'succeeded', 2],
    ])
    expect(told(bad.id).map(({ type, data }) => [type, data.status, data.error?.class])).toEqual([
      ['job.accepted', 'accepted', undefined],
      ['job.failed', 'failed', 'content_filtered'],
    ])
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(4)
    for (const one of received) {
      expect(new Webhook(secret).verify(one.text, headersOf(one))).toEqual(one.event)
      expect(() => new SvixWebhook(secret).verify(one.text, headersOf(one))).not.toThrow()
      expect(one.event.id).toBe(one.headers['webhook-id'])
    }
  })

  it('can read the result as soon as it is told', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    await acme.listens(receiver, ['job.result_available'])
    const { id } = await acme.submitted()

    await receiver.event('job.result_available')

    await expectStatus(200, acme.get(`/v1/jobs/${id}/result`))
    expect(receiver.received).toHaveLength(1)
  })

  it('is told about a cancellation', async () => {
    const acme = await newTenant({ max_running: 1 })
    const receiver = await newReceiver()
    await acme.listens(receiver, ['job.*'])
    const { id } = await acme.submitted(summarizeJob({ model: 'test/slow' }))

    await expectStatus(200, acme.cancel(id))

    expect((await receiver.event('job.cancelled')).event.data).toMatchObject({
      id,
      status: 'cancelled',
      sequence: 2,
    })
  })

  it('gets no content and no error text of a provider', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    await acme.listens(receiver)
    await acme.submitted({ kind: 'summarize', input: { text: 'A very private sentence.' } })

    const received = await receiver.arrived(2)

    expect(JSON.stringify(received)).not.toContain('very private')
  })

  it('gets the same event again with a fresh timestamp and signature when it did not answer 2xx', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver((nth) => (nth === 0 ? 500 : 204))
    const { secret } = await acme.listens(receiver, ['job.result_available'])
    await acme.submitted()

    const [first, second] = await receiver.arrived(2)

    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.text).toBe(first?.text)
    expect(Number(second?.headers['webhook-timestamp'])).toBeGreaterThan(
      Number(first?.headers['webhook-timestamp']),
    )
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature'])
    const waited = (second?.at ?? 0) - (first?.at ?? 0)
    expect(waited).toBeGreaterThanOrEqual(4500)
    // A drain whose end went unnoticed would hold up the next for 40 s.
    expect(waited).toBeLessThan(35_000)
    for (const one of [first, second]) new Webhook(secret).verify(one?.text ?? '', headersOf(one as Received))
  })

  it('is not followed to where it redirects', async () => {
    const acme = await newTenant()
    const target = await newReceiver()
    const receiver = await newReceiver(() => ({ status: 302, headers: { Location: target.url } }))
    await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()

    await receiver.arrived(1)

    const attempts = await until('the attempt is on record', async () => {
      const [row] = await inLedger<{ attempts: string }>(acme.id, 'select attempts from deliveries')
      const made = JSON.parse(row?.attempts ?? '[]') as { status_code: number; error: string }[]
      return made.length > 0 && made
    })
    expect(attempts).toEqual([expect.objectContaining({ status_code: 302, error: 'redirect' })])
    expect(target.received).toEqual([])
  })

  it('stops being called once it answered 410, and what was owed is held', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver(() => 410)
    const { id } = await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()

    const endpoint = await until('the endpoint is disabled', async () => {
      const { body } = await acme.get(`/v1/webhook_endpoints/${id}`)
      return body.status === 'disabled' && body
    })
    await acme.submitted()
    await pause(1000)

    expect(endpoint).toMatchObject({ disabled_reason: 'gone' })
    expect(receiver.received).toHaveLength(1)
    const rows = await inLedger<{ status: string }>(
      acme.id,
      'select status from deliveries order by event_sequence',
    )
    expect(rows.map(({ status }) => status)).toEqual(['held', 'held'])
  })

  it('is not called any more after its deletion', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver(() => 500)
    const { id } = await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()
    await receiver.arrived(1)

    await expectStatus(204, acme.client.delete(`/v1/webhook_endpoints/${id}`))
    await acme.submitted()
    await pause(6500)

    expect(receiver.received).toHaveLength(1)
    expect((await acme.get(`/v1/webhook_endpoints/${id}`)).status).toBe(404)
  })

  it('waits for no neighbour whose receiver hangs', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const [hanging, quick] = [await newReceiver(() => null), await newReceiver()]
    await acme.listens(hanging)
    await globex.listens(quick)
    for (let at = 0; at < 8; at++) await acme.submitted()
    await hanging.arrived(1)

    const sentAt = Date.now()
    await globex.submitted()
    await quick.event('job.result_available')

    expect(Date.now() - sentAt).toBeLessThan(5000)
  })
})

describe('a webhook endpoint', () => {
  it('is listed newest first and read by its own tenant only, never with its secret', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const create = (path: string) =>
      acme.client.post('/v1/webhook_endpoints', { url: `https://hooks.acme.com/${path}` })
    const [first, second] = [(await create('1')).body, (await create('2')).body]

    const { body } = await acme.get('/v1/webhook_endpoints?limit=1')
    const next = await acme.get(`/v1/webhook_endpoints?limit=1&cursor=${body.next_cursor}`)

    expect([body.data[0]?.id, next.body.data[0]?.id, next.body.has_more]).toEqual([
      second.id,
      first.id,
      false,
    ])
    expect(JSON.stringify(body)).not.toContain('whsec_')
    for (const { status } of [
      await globex.get(`/v1/webhook_endpoints/${first.id}`),
      await globex.client.delete(`/v1/webhook_endpoints/${first.id}`),
    ])
      expect(status).toBe(404)
    const foreign = await globex.get(`/v1/webhook_endpoints?cursor=${body.next_cursor}`)
    expect([foreign.status, foreign.body.errors[0]?.parameter]).toEqual([400, 'cursor'])
  })

  it('keeps its secret sealed in the ledger', async () => {
    const acme = await newTenant()
    const { secret } = await acme.listens(await newReceiver())

    const rows = await inLedger(acme.id, 'select * from webhook_endpoints')

    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(secret.slice('whsec_'.length))
  })

  it.each([
    'http://hooks.acme.com/',
    'https://10.0.0.1/',
    'https://[fd00::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://user:pass@hooks.acme.com/',
    'https://hooks.acme.com:8443/',
    'https://printer.local/',
    'https://api.gateway.test/v1/jobs',
    'ftp://hooks.acme.com/',
    'nonsense',
  ])('is refused for %s', async (url) => {
    const acme = await newTenant()

    const { status, body } = await acme.client.post('/v1/webhook_endpoints', { url })

    expect([status, body.errors[0]?.pointer]).toEqual([400, '/url'])
    expect(JSON.stringify(body)).not.toContain(url)
  })

  it.each([
    [{ url: 'https://hooks.acme.com/', event_types: ['job.exploded'] }, '/event_types/0'],
    [{ url: 'https://hooks.acme.com/', event_types: [] }, '/event_types'],
    [{ event_types: ['*'] }, '/url'],
    [{ url: 'https://hooks.acme.com/', secret: 'mine' }, '/secret'],
  ])('is refused for %j', async (body, pointer) => {
    const acme = await newTenant()

    const answer = await acme.client.post('/v1/webhook_endpoints', body)

    expect([answer.status, answer.body.errors[0]?.pointer]).toEqual([400, pointer])
  })

  it('is refused beyond the number that the plan allows', async () => {
    const acme = await newTenant({ max_webhook_endpoints: 1 })
    const create = () => acme.client.post('/v1/webhook_endpoints', { url: 'https://hooks.acme.com/' })
    await expectStatus(201, create())

    expect((await create()).status).toBe(400)
  })
})
