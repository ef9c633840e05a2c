import { describe, expect, it } from 'vitest'
import { chunksOf, mostAtOnce } from './support/batch-rows.ts'
import {
  batchOf,
  embedItems,
  itemsOf,
  ndjson,
  resultsOf,
  submittedBatch,
  uploadedItems,
} from './support/batches.ts'
import { evict } from './support/control.ts'
import { newTenant, TEXT, type Tenant } from './support/tenant.ts'
import { uploaded } from './support/uploads.ts'
import { pause } from './support/wait.ts'

const levels = ['public', 'internal', 'confidential']
const ITEMS = 30

/** A batch with chunks at the provider and one that runs as jobs, in which some items fail. */
async function mixedBatch(acme: Tenant, version: string): Promise<string> {
  const file_id = (await uploaded(acme, TEXT)).id
  const items = embedItems(ITEMS).map((item, at) => ({
    ...item,
    ...(at % 10 === 9 && { input: { file_id } }),
    confidentiality: levels[at % levels.length],
  }))
  const items_file_id = await uploadedItems(acme, ndjson(items))
  const body = { kind: 'embed', model: 'test/batch-partial', items_file_id, processing_version: version }
  return (await submittedBatch(acme, body)).id
}

/** Reads the batch again and again until it has ended; answers how often it was another. */
async function watch(acme: Tenant, id: string): Promise<number> {
  const seen: string[] = []
  for (let ended = 0; ; ) {
    const { counts, terminal } = await batchOf(acme, id)
    const { total, pending, succeeded, failed, cancelled, expired } = counts
    expect(pending + succeeded + failed + cancelled + expired).toBe(total)
    expect(total - pending).toBeGreaterThanOrEqual(ended)
    ended = total - pending
    if (seen.at(-1) !== JSON.stringify(counts)) seen.push(JSON.stringify(counts))
    if (terminal) return seen.length
  }
}

/** What the ledger holds in memory is lost again and again. */
async function evictUntil(done: Promise<unknown>, acme: Tenant): Promise<void> {
  let isDone = false
  void done.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await pause(300)
    // While nobody calls it, there is nothing to evict.
    await evict(acme.id).catch(() => undefined)
  }
}

describe('batches that are read all the time, over a ledger that is evicted all the time', () => {
  it('have counts that add up, no chunk beyond the limit of their tenant, and an end for each item', async () => {
    const acme = await newTenant({ max_batch_chunks: 1 })
    const ids = await Promise.all(['1', '2'].map((version) => mixedBatch(acme, version)))

    const watched = Promise.all(ids.map((id) => watch(acme, id)))
    await Promise.all([watched, evictUntil(watched, acme)])

    for (const changes of await watched) expect(changes).toBeGreaterThan(2)
    const chunks = await Promise.all(ids.map((id) => chunksOf(acme, id)))
    expect(mostAtOnce(chunks.flat().filter(({ path }) => path === 'batch'))).toBe(1)
    for (const id of ids) {
      const { status, counts } = await batchOf(acme, id)
      expect([status, counts.total]).toEqual(['partially_failed', ITEMS])
      const results = await resultsOf(acme, id)
      expect(results.map(({ index }) => index)).toEqual(Array.from({ length: ITEMS }, (_, at) => at))
      expect(results.filter((line) => line.status === 'failed')).toHaveLength(counts.failed)
      expect((await itemsOf(acme, id, '?status=failed')).data).toHaveLength(counts.failed)
    }
  })
})
