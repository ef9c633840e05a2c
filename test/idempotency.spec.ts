import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { inLedger } from './support/control.ts'
import { expectStatus, newClient, newTenant, summarizeJob } from './support/tenant.ts'

describe('an idempotency key', () => {
  it('makes one job of 50 parallel requests', async () => {
    const acme = await newTenant()
    const key = randomUUID()

    const answers = await Promise.all(Array.from({ length: 50 }, () => acme.submit(summarizeJob(), key)))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('Idempotency-Replayed') === null)).toHaveLength(1)
    expect((await acme.get('/v1/jobs')).body.data).toHaveLength(1)
  })

  it('replays the first answer, even after the job has ended, with a fresh rate and request ID', async () => {
    const acme = await newTenant()
    const key = randomUUID()
    const first = await acme.submit(summarizeJob(), key)
    await acme.ended(first.body.id)

    const replay = await acme.submit(summarizeJob(), key)

    expect([replay.status, replay.body]).toEqual([202, first.body])
    expect(replay.headers.get('Location')).toBe(first.headers.get('Location'))
    expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
    expect(replay.headers.get('X-Request-Id')).not.toBe(first.headers.get('X-Request-Id'))
    expect(replay.headers.get('RateLimit')).not.toBe(first.headers.get('RateLimit'))
  })

  it('is the same bare and in quotes, and whatever the order of the members', async () => {
    const acme = await newTenant()
    const key = randomUUID()
    const { kind, input } = summarizeJob()
    const first = await acme.submit({ kind, input }, key)

    const replay = await acme.submit({ input, kind }, `"${key}"`)

    expect([replay.status, replay.body.id]).toEqual([202, first.body.id])
  })

  it('is refused for another body or query, and creates nothing', async () => {
    const acme = await newTenant()
    const key = randomUUID()
    await expectStatus(202, acme.submit(summarizeJob(), key))

    const otherBody = await acme.submit(summarizeJob({ metadata: { other: 'yes' } }), key)
    const otherQuery = await acme.client.post('/v1/jobs?x=1', summarizeJob(), { 'Idempotency-Key': key })

    for (const { status, body } of [otherBody, otherQuery])
      expect([status, body.type]).toEqual([422, expect.stringMatching(/idempotency-key-reused$/)])
    expect((await acme.get('/v1/jobs')).body.data).toHaveLength(1)
  })

  it('belongs to one client of one tenant', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const key = randomUUID()
    const other = await newClient(acme.id)

    const answers = [
      await acme.submit(summarizeJob(), key),
      await globex.submit(summarizeJob(), key),
      await other.post('/v1/jobs', summarizeJob(), { 'Idempotency-Key': key }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(3)
  })

  it('is not used up by a request that was refused', async () => {
    const acme = await newTenant()
    const key = randomUUID()
    await expectStatus(400, acme.submit(summarizeJob({ kind: 'unknown' }), key))
    await expectStatus(400, acme.submit({ kind: 'summarize', input: { file_id: 'file_none' } }, key))

    await expectStatus(202, acme.submit(summarizeJob(), key))
  })

  it('still answers when the backlog has filled since', async () => {
    const acme = await newTenant({ max_backlog: 1, max_running: 1 })
    const key = randomUUID()
    const job = summarizeJob({ model: 'test/slow' })
    const first = await acme.submit(job, key)

    const other = await acme.submit(job)
    const replay = await acme.submit(job, key)

    expect([other.status, other.body.type]).toEqual([429, expect.stringMatching(/backlog-full$/)])
    expect(other.headers.get('Retry-After')).toMatch(/^[0-9]+$/)
    expect([replay.status, replay.body.id]).toEqual([202, first.body.id])
  })

  it('is stored as a hash only', async () => {
    const acme = await newTenant()
    const key = randomUUID()
    await acme.submit(summarizeJob(), key)

    const rows = await inLedger(acme.id, 'select * from idempotency_keys')

    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(key)
  })

  it.each([
    ['missing', undefined, 'idempotency-key-required'],
    ['empty', '', 'idempotency-key-invalid'],
    ['of 256 characters', 'k'.repeat(256), 'idempotency-key-invalid'],
    ['with a comma', 'a, b', 'idempotency-key-invalid'],
    ['with a space', 'a b', 'idempotency-key-invalid'],
    ['half in quotes', '"abc', 'idempotency-key-invalid'],
    ['with a slash', 'a/b', 'idempotency-key-invalid'],
  ])('is refused when it is %s', async (_, key, slug) => {
    const acme = await newTenant()

    const headers = key === undefined ? {} : { 'Idempotency-Key': key }
    const { status, body } = await acme.client.post('/v1/jobs', summarizeJob(), headers)

    expect([status, body.type]).toEqual([400, `https://api.gateway.test/problems/${slug}`])
  })

  it.each(['k', 'k'.repeat(255), '__proto__', 'a.b_c~d:e-f'])('may be %s', async (key) => {
    const acme = await newTenant()

    await expectStatus(202, acme.submit(summarizeJob(), key))
  })

  it('is honoured where it is not required: the same endpoint, its secret shown once', async () => {
    const acme = await newTenant()
    const headers = { 'Idempotency-Key': randomUUID() }
    const create = () =>
      acme.client.post('/v1/webhook_endpoints', { url: 'https://hooks.acme.com/ai' }, headers)

    const [first, replay] = [await create(), await create()]

    expect([first.status, replay.status]).toEqual([201, 201])
    expect(first.body.secret).toMatch(/^whsec_/)
    expect(replay.body).toEqual({ ...first.body, secret: null })
    expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
    expect((await acme.get('/v1/webhook_endpoints')).body.data).toHaveLength(1)
  })

  it('replays a cancellation instead of refusing it', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/slow' }))
    const headers = { 'Idempotency-Key': randomUUID() }
    const cancel = () => acme.client.request('POST', `/v1/jobs/${id}/cancel`, { headers })

    const [first, replay] = [await cancel(), await cancel()]

    expect([first.status, replay.status]).toEqual([200, 200])
    expect(replay.body).toEqual(first.body)
    expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
  })

  it('that is missing is asked for before the body is looked at', async () => {
    const acme = await newTenant()

    const { status, body } = await acme.client.post('/v1/jobs', { kind: 'unknown' })

    expect([status, body.type]).toEqual([400, 'https://api.gateway.test/problems/idempotency-key-required'])
  })
})
