import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  embedBatch,
  endedBatch,
  ndjson,
  reportOf,
  submitBatch,
  submittedBatch,
  uploadedItems,
} from './support/batches.ts'
import { newTenant, type Tenant } from './support/tenant.ts'
import { uploaded } from './support/uploads.ts'

const UNKNOWN = 'batch_01jd0000000000000000000000000'

const asks: [method: 'GET' | 'POST', path: string, json?: object][] = [
  ['GET', ''],
  ...['items', 'items?status=failed', 'manifest', 'report', 'results'].map((path): ['GET', string] => [
    'GET',
    `/${path}`,
  ]),
  ['POST', '/cancel'],
  ['POST', '/discard'],
  ['POST', '/rerun', { mode: 'incomplete_only' }],
]

/** All that can be asked of a batch, with what is told of it but for what names the request. */
const askedOf = ({ client }: Tenant, id: string) =>
  Promise.all(
    asks.map(async ([method, path, json]) => {
      const headers = { ...(method === 'POST' && { 'Idempotency-Key': randomUUID() }) }
      const { status, body } = await client.request(method, `/v1/batches/${id}${path}`, {
        headers,
        ...(json && { json }),
      })
      const { type, detail } = body
      return { status, type, detail }
    }),
  )

describe.concurrent('a batch of another tenant', () => {
  it('is not there, and no different from one that never was', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const open = await submittedBatch(acme, embedBatch(2, { model: 'test/batch-stuck' }))
    const ended = await submittedBatch(acme)
    await endedBatch(acme, ended.id)

    const never = await askedOf(globex, UNKNOWN)

    expect(new Set(never.map(({ status }) => status))).toEqual(new Set([404]))
    for (const id of [open.id, ended.id, 'none', `${open.id}-2`, '%00', `${open.id.slice(0, -1)}!`])
      expect(await askedOf(globex, id)).toEqual(never)
    expect((await globex.get('/v1/batches')).body.data).toEqual([])
    expect((await globex.get(`/v1/jobs?batch_id=${open.id}`)).body.data).toEqual([])
    expect((await acme.get(`/v1/batches/${open.id}`)).body).toMatchObject({ terminal: false })
  })

  it('has files that are not there for others', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const source = await uploadedItems(acme, ndjson(embedBatch().items))
    const input = { file_id: (await uploaded(acme, 'All human beings.')).id }
    const items = [{ external_reference: 'theirs', input }]

    const bySource = { kind: 'embed', items_file_id: source }
    const byInput = { kind: 'embed', items }
    const [first, second] = [await submitBatch(globex, bySource), await submitBatch(globex, byInput)]

    expect([first.status, first.body.errors[0]?.pointer]).toEqual([400, '/items_file_id'])
    expect([second.status, second.body.errors[0]?.pointer]).toEqual([400, '/items/0/input/file_id'])
    const inFile = await submittedBatch(globex, {
      kind: 'embed',
      items_file_id: await uploadedItems(globex, ndjson(items)),
    })
    expect(await endedBatch(globex, inFile.id)).toMatchObject({ status: 'failed' })
    expect((await reportOf(globex, inFile.id)).errors).toMatchObject([
      { line: 1, external_reference: 'theirs' },
    ])
  })

  it('may have the same Idempotency-Key', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const key = randomUUID()

    const [mine, theirs] = [
      await submitBatch(acme, embedBatch(), key),
      await submitBatch(globex, embedBatch(4), key),
    ]

    expect([mine.status, theirs.status]).toEqual([202, 202])
    expect(mine.body.id).not.toBe(theirs.body.id)
  })
})
