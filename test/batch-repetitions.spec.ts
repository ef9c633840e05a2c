import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { embedBatch, embedItems, endedBatch, submitBatch, submittedBatch } from './support/batches.ts'
import { contentOf } from './support/control.ts'
import { expectStatus, newTenant } from './support/tenant.ts'

describe.concurrent('a batch that is read again', () => {
  it('is not sent again as long as nothing has changed', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme)
    await endedBatch(acme, id)
    const { headers } = await expectStatus(200, acme.get(`/v1/batches/${id}`))
    const etag = headers.get('ETag') ?? ''

    const again = await acme.get(`/v1/batches/${id}`, { 'If-None-Match': etag })

    expect([again.status, again.body]).toEqual([304, null])
    expect([etag, headers.get('Retry-After')]).toEqual([expect.stringMatching(/^W\/"/), null])
  })

  it('is worth reading later while it has not ended', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(2, { model: 'test/batch-stuck' }))

    const { headers } = await expectStatus(200, acme.get(`/v1/batches/${id}`))

    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
  })

  it("is somebody else's to nobody", async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const { id } = await submittedBatch(acme)

    for (const path of ['', '/items', '/manifest', '/report', '/results'])
      expect((await globex.get(`/v1/batches/${id}${path}`)).status).toBe(404)
    for (const path of ['/v1/batches/none', '/v1/batches/none/results'])
      expect((await acme.get(path)).status).toBe(404)
  })

  it('is in the list, newest first, by status and kind', async () => {
    const acme = await newTenant()
    const first = await submittedBatch(acme)
    await endedBatch(acme, first.id)
    const second = await submittedBatch(acme, embedBatch(1, { model: 'test/batch-stuck' }))

    const idsOf = async (query: string) =>
      (await expectStatus(200, acme.get(`/v1/batches${query}`))).body.data.map(({ id }) => id)

    expect(await idsOf('')).toEqual([second.id, first.id])
    expect(await idsOf('?status=completed')).toEqual([first.id])
    expect(await idsOf('?kind=summarize')).toEqual([])
    const page = (await expectStatus(200, acme.get('/v1/batches?limit=1'))).body
    expect(await idsOf(`?limit=1&cursor=${page.next_cursor}`)).toEqual([first.id])
  })
})

describe.concurrent('a batch that is sent again', () => {
  it('under its key gets its first answer, and is made once', async () => {
    const acme = await newTenant()
    const key = randomUUID()

    const answers = await Promise.all(Array.from({ length: 10 }, () => submitBatch(acme, embedBatch(), key)))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('Idempotency-Replayed') === null)).toHaveLength(1)
    expect((await acme.get('/v1/batches')).body.data).toHaveLength(1)
    expect((await contentOf(acme.id)).filter((ref) => ref.includes('/in/'))).toHaveLength(1)
  })

  it('under its key with another body is refused', async () => {
    const acme = await newTenant()
    const key = randomUUID()
    await expectStatus(202, submitBatch(acme, embedBatch(), key))

    const { status, body } = await submitBatch(acme, embedBatch(4), key)

    expect([status, body.type]).toEqual([422, expect.stringMatching(/idempotency-key-reused$/)])
  })

  it('under another key is refused as long as its items are open, with their positions and their batch', async () => {
    const acme = await newTenant()
    const body = embedBatch(3, { model: 'test/batch-stuck' })
    const { id } = await submittedBatch(acme, body)
    const again = { ...body, items: [...embedItems(5)].slice(1) }

    const refused = await submitBatch(acme, again)

    expect([refused.status, refused.body.type]).toEqual([409, expect.stringMatching(/duplicate-items$/)])
    expect(refused.body.errors.map(({ pointer }) => pointer)).toEqual([
      '/items/0/external_reference',
      '/items/1/external_reference',
    ])
    for (const { detail } of refused.body.errors) expect(detail).toContain(id)
    await expectStatus(202, submitBatch(acme, { ...again, on_duplicate: 'run' }))
  })
})
