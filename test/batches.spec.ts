import { describe, expect, it } from 'vitest'
import {
  batchOf,
  embedBatch,
  embedItems,
  endedBatch,
  estimateOf,
  itemsOf,
  manifestOf,
  ndjson,
  reportOf,
  resultsOf,
  submitBatch,
  submittedBatch,
  uploadedItems,
} from './support/batches.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant, TEXT } from './support/tenant.ts'
import { uploaded } from './support/uploads.ts'

const references = (count: number) => Array.from({ length: count }, (_, at) => `item-${at}`)

describe.concurrent('a batch with its items in the request', () => {
  it('is accepted with a status URL under which it can be read at once', async () => {
    const acme = await newTenant()

    const { headers, body } = await expectStatus(
      202,
      submitBatch(acme, embedBatch(3, { metadata: { order: '4711' } })),
    )

    expect(headers.get('Location')).toBe(body.status_url)
    expect(body).toMatchObject({
      object: 'batch',
      kind: 'embed',
      model: 'embedded/hash-1',
      status: 'accepted',
      terminal: false,
      counts: { total: 3, pending: 3, succeeded: 0, failed: 0, cancelled: 0, expired: 0 },
      metadata: { order: '4711' },
      parent_batch_id: null,
    })
    expect(await batchOf(acme, body.id)).toMatchObject({ id: body.id, kind: 'embed' })
  })

  it('has its manifest right after that, with every item in a chunk', async () => {
    const acme = await newTenant()
    const { id, created_by } = await submittedBatch(acme, embedBatch(30))

    const manifest = await manifestOf(acme, id, '?limit=20')
    const rest = await manifestOf(acme, id, `?limit=20&cursor=${manifest.next_cursor}`)

    expect(manifest).toMatchObject({
      id,
      object: 'batch_manifest',
      created_by,
      retention: { retention_seconds: 604_800 },
      item_count: 30,
      has_more: true,
    })
    expect(manifest.chunks).toMatchObject([{ index: 0, item_count: 30, confidentiality: 'internal' }])
    const items = [...manifest.items, ...rest.items]
    expect(items.map((item) => item.external_reference)).toEqual(references(30))
    expect(items.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, at) => at))
    expect(new Set(items.map(({ item_key }) => item_key)).size).toBe(30)
    for (const item of items)
      expect(item).toMatchObject({ chunk: 0, input_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect([rest.has_more, rest.next_cursor]).toEqual([false, null])
  })

  it('ends with a result for each item, in input order', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(25))

    const batch = await endedBatch(acme, id)

    expect(batch).toMatchObject({
      status: 'completed',
      status_reason: null,
      counts: { total: 25, succeeded: 25, pending: 0, failed: 0, cancelled: 0, expired: 0 },
    })
    const results = await resultsOf(acme, id)
    expect(results.map((line) => line.external_reference)).toEqual(references(25))
    expect(results.map(({ index }) => index)).toEqual(Array.from({ length: 25 }, (_, at) => at))
    for (const line of results)
      expect(line).toMatchObject({ status: 'succeeded', output: { dimensions: 256 } })
  })

  it('tells what became of each item, by status and page by page', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(8, { model: 'test/batch-partial' }))
    await endedBatch(acme, id)

    const failed = await itemsOf(acme, id, '?status=failed')
    const first = await itemsOf(acme, id, '?limit=5')
    const second = await itemsOf(acme, id, `?limit=5&cursor=${first.next_cursor}`)

    expect(failed.data.length).toBe(2)
    for (const item of failed.data)
      expect(item).toMatchObject({ status: 'failed', error: { class: expect.any(String) } })
    expect([...first.data, ...second.data].map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect([first.has_more, second.has_more]).toEqual([true, false])
  })

  it('has failures and successes in one stream, and says how many failed of what', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(8, { model: 'test/batch-partial' }))

    const batch = await endedBatch(acme, id)

    expect(batch).toMatchObject({ status: 'partially_failed', counts: { succeeded: 6, failed: 2 } })
    const results = await resultsOf(acme, id)
    expect(results.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(results.filter((line) => line.error).length).toBe(2)
    const report = await reportOf(acme, id)
    expect(report).toMatchObject({ id, object: 'batch_report', status: 'partially_failed', errors: [] })
    expect(Object.values(report.error_classes)).toEqual([2])
    expect(report.duration_ms).toBeGreaterThan(0)
    expect(report.checks.find(({ name }) => name === 'counts_add_up')).toMatchObject({ passed: true })
  })

  it('keeps apart what differs in confidentiality or retention, and puts the results together again', async () => {
    const acme = await newTenant()
    const items = embedItems(12).map((item, at) => ({
      ...item,
      ...(at % 3 === 1 && { confidentiality: 'confidential' }),
      ...(at % 3 === 2 && { retention_seconds: 3600 }),
    }))
    const { id } = await submittedBatch(acme, { kind: 'embed', items })

    await endedBatch(acme, id)

    const { chunks } = await manifestOf(acme, id)
    expect(chunks.map((chunk) => [chunk.item_count, chunk.confidentiality, chunk.retention_seconds])).toEqual(
      [
        [4, 'internal', 604_800],
        [4, 'confidential', 604_800],
        [4, 'internal', 3600],
      ],
    )
    expect((await resultsOf(acme, id)).map((line) => line.external_reference)).toEqual(references(12))
  })

  it('says beforehand, and in its manifest, which chunks run as single jobs', async () => {
    const acme = await newTenant()
    const file_id = (await uploaded(acme, TEXT)).id
    const [first, second] = embedItems(2)
    const body = { kind: 'embed', items: [first, { ...second, input: { file_id } }] }
    const cut = { chunks: [{ path: 'batch' }, { path: 'individual' }] }

    expect(await estimateOf(acme, body)).toMatchObject(cut)
    const { id } = await submittedBatch(acme, body)

    expect(await manifestOf(acme, id)).toMatchObject(cut)
    await endedBatch(acme, id)
    expect(await reportOf(acme, id)).toMatchObject({ model_versions: ['1'] })
  })

  it('tells its receiver that it was accepted and that its results can be read', async () => {
    const receiver = await newReceiver()
    const acme = await newTenant()
    await acme.listens(receiver, ['batch.*'])

    const { id, results_url } = await submittedBatch(acme)

    const { event: available } = await receiver.event('batch.result_available')
    const { event: accepted } = await receiver.event('batch.accepted')
    expect(accepted).toMatchObject({
      type: 'batch.accepted',
      data: { id, sequence: 1, counts: { total: 3 } },
    })
    expect(available).toMatchObject({
      type: 'batch.result_available',
      data: { id, object: 'batch', status: 'completed', sequence: 2, counts: { succeeded: 3 }, results_url },
    })
  })
})

describe.concurrent('a batch with its items in a file', () => {
  it('runs them, and leaves its file to its owner', async () => {
    const acme = await newTenant()
    const items_file_id = await uploadedItems(
      acme,
      `\uFEFF${ndjson(embedItems(4)).replaceAll('\n', '\r\n')}\r\n`,
    )

    const { id } = await submittedBatch(acme, { kind: 'embed', items_file_id })

    expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed', counts: { total: 4 } })
    expect((await resultsOf(acme, id)).map((line) => line.external_reference)).toEqual(references(4))
    expect((await acme.get(`/v1/files/${items_file_id}`)).status).toBe(200)
  })

  it('fails before anything is sent if a line is no item, and reports each', async () => {
    const acme = await newTenant()
    const [good, other] = embedItems(2)
    const text = `${JSON.stringify(good)}\n{"external_reference": "bad"}\nnot JSON\n${JSON.stringify(other)}\n`
    const items_file_id = await uploadedItems(acme, text)

    const { id } = await submittedBatch(acme, { kind: 'embed', items_file_id })

    expect(await endedBatch(acme, id)).toMatchObject({ status: 'failed', status_reason: 'invalid_items' })
    const report = await reportOf(acme, id)
    expect(report.errors.map(({ line, external_reference }) => [line, external_reference])).toEqual([
      [2, 'bad'],
      [3, null],
    ])
    expect(report.error_count).toBe(2)
    expect(await manifestOf(acme, id)).toMatchObject({ item_count: 0, chunks: [], items: [] })
    expect(await resultsOf(acme, id)).toEqual([])
  })

  it('leaves out lines that are no items where it was asked to', async () => {
    const acme = await newTenant()
    const items_file_id = await uploadedItems(acme, `${ndjson(embedItems(2))}nothing\n`)

    const { id } = await submittedBatch(acme, { kind: 'embed', items_file_id, on_invalid: 'skip' })

    expect(await endedBatch(acme, id)).toMatchObject({
      status: 'partially_failed',
      status_reason: 'invalid_items',
      counts: { total: 2, succeeded: 2 },
    })
    expect((await reportOf(acme, id)).errors).toMatchObject([{ line: 3, external_reference: null }])
  })

  it('is refused when the file is not there, or holds no lines of JSON', async () => {
    const acme = await newTenant()
    const text = await acme.client.request('POST', '/v1/files', {
      raw: 'All human beings.',
      headers: { 'Content-Type': 'text/plain' },
    })

    for (const items_file_id of ['file_none', text.body.id]) {
      const { status, body } = await submitBatch(acme, { kind: 'embed', items_file_id })
      expect([status, body.errors[0]?.pointer]).toEqual([400, '/items_file_id'])
    }
  })
})
