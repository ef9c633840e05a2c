/** Opens jobs for the items of a chunk that runs singly. Small inputs travel along; larger ones go to R2 first. */
import { kindOf } from '../../catalog/kinds.ts'
import type { ChunkItem, ChunkOrder, ItemJob } from '../../ledger/batches/protocol.ts'
import { createIfAbsent, INLINE_BYTES, inputKey } from '../../ledger/content.ts'
import { BrokenSource, inputsOf } from './chunk-content.ts'
import type { Desk } from './desk.ts'
import { triedOf } from './request.ts'
import { tellFault } from './tell.ts'

/** Of one call to the ledger. */
const CALL_JOBS = 100
const CALL_BYTES = 1024 * 1024

/** Answers how many. Opening again what is open changes nothing. */
export async function openChunk(desk: Desk, chunk: number): Promise<number> {
  const order = await desk.ledger((ledger) => ledger.openOrder(desk.acting, chunk))
  if (!order) return 0
  let opened = 0
  for await (const jobs of groupsOf(jobsOf(desk, order))) {
    await desk.ledger((ledger) => ledger.openItemJobs(desk.acting, triedOf(order), jobs))
    opened += jobs.length
  }
  return opened
}

async function* groupsOf(jobs: AsyncGenerator<ItemJob>): AsyncGenerator<ItemJob[]> {
  let group: ItemJob[] = []
  let bytes = 0
  for await (const job of jobs) {
    group.push(job)
    bytes += job.input?.length ?? 0
    if (group.length < CALL_JOBS && bytes < CALL_BYTES) continue
    yield group
    group = []
    bytes = 0
  }
  if (group.length > 0) yield group
}

/** Where the source cannot be read, a job fails as one whose input is gone. */
async function* jobsOf(desk: Desk, order: ChunkOrder): AsyncGenerator<ItemJob> {
  const left = new Set(order.items)
  try {
    for await (const { item, input } of inputsOf(order.items, order.sourceRef, desk.content)) {
      left.delete(item)
      yield await jobOf(desk, order, item, input)
    }
  } catch (error) {
    if (!(error instanceof BrokenSource)) throw error
    tellFault(desk, 'batch.source_broken', order, error)
    for (const { position } of left) yield { ...lost, position, inputRef: order.sourceRef }
  }
}

const lost = { input: null, inputTokens: 0, fileIds: [] }

async function jobOf(desk: Desk, order: ChunkOrder, item: ChunkItem, input: unknown): Promise<ItemJob> {
  const kind = kindOf(order.kind)
  const parsed = kind.input.parse(input)
  const text = JSON.stringify(input)
  const bytes = new TextEncoder().encode(text)
  const inputRef = bytes.byteLength > INLINE_BYTES ? await stored(desk, order, item, bytes) : null
  return {
    position: item.position,
    input: inputRef === null ? text : null,
    inputRef,
    inputTokens: kind.inputTokens(parsed),
    fileIds: [...new Set(kind.fileRefs(parsed).map(({ fileId }) => fileId))],
  }
}

/** The key follows from the item, so a repeated step writes nothing twice; but for one in the next hour, whose object nobody needs. */
async function stored(
  desk: Desk,
  { epoch }: ChunkOrder,
  { key }: ChunkItem,
  bytes: Uint8Array,
): Promise<string> {
  const request = { hash: `${desk.acting.batchId}-${key}`, fingerprint: `-${epoch}` }
  const inputRef = inputKey(desk.tenantId, request, Date.now())
  await desk.content.put(inputRef, bytes, createIfAbsent)
  return inputRef
}
