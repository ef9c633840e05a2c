/**
 * Looks what the providers make of chunks that are out. An answer is checked item by item, stored and told as soon as it is there; one
 * that is not there yet costs one question to the provider.
 */
import { findModel } from '../../catalog/models.ts'
import type { ChunkAnswer, ChunkOrder, Polled } from '../../ledger/batches/protocol.ts'
import { chunkOutputKey, createIfAbsent } from '../../ledger/content.ts'
import type { FailureClass } from '../../openapi/job-words.ts'
import type { ChunkInput, ChunkRead } from '../batch-provider.ts'
import { orAborted } from '../or-aborted.ts'
import { nameOf } from '../providers/answer.ts'
import { BrokenSource } from './chunk-content.ts'
import type { Desk } from './desk.ts'
import { forgetChunk } from './forget.ts'
import { HeldInputs } from './held-inputs.ts'
import { callFor, triedOf } from './request.ts'
import { tellAnswer, tellFault } from './tell.ts'
import { verifyChunk } from './verify.ts'

/** Chunks that are asked for, and looked at, together. */
const TOGETHER = 4

export async function pollChunks(desk: Desk, chunks: readonly number[]): Promise<Record<string, number>> {
  const tally: Record<string, number> = {}
  for (let left = [...chunks]; left.length > 0; ) {
    const asked = left.slice(0, TOGETHER)
    const orders = await desk.ledger((ledger) => ledger.pollOrders(desk.acting, asked))
    for (const { kind } of await pollOrders(desk, orders)) tally[kind] = (tally[kind] ?? 0) + 1
    // What was left out of a reply is asked for again; what is not out any more never comes.
    const done = new Set(orders.length > 0 ? orders.map(({ chunk }) => chunk) : asked)
    left = left.filter((chunk) => !done.has(chunk))
  }
  return tally
}

async function pollOrders(desk: Desk, orders: readonly ChunkOrder[]): Promise<Polled[]> {
  const polled = await Promise.all(orders.map((order) => pollOne(desk, order)))
  const pending = polled.filter(({ kind }) => kind === 'pending')
  if (pending.length > 0) await desk.ledger((ledger) => ledger.noteAnswers(desk.acting, pending))
  const [first] = orders
  if (first && pending.length > 0)
    await desk.permits.areOut(
      first.model,
      pending.map(({ chunk }) => chunk),
    )
  return polled
}

async function pollOne(desk: Desk, order: ChunkOrder): Promise<Polled> {
  const polled = await lookAt(desk, order)
  if (polled.kind === 'pending') return polled
  await desk.ledger((ledger) => ledger.noteAnswers(desk.acting, [polled]))
  tellAnswer(desk, polled, order.model)
  await desk.permits.ended(order.model, order.chunk, polled.kind === 'failed' ? polled : 'answered')
  await forgetChunk(desk, order)
  return polled
}

/** A fault of ours, and a provider that does not answer, change nothing about the chunk: it is looked at again. */
async function lookAt(desk: Desk, order: ChunkOrder): Promise<Polled> {
  const signal = AbortSignal.timeout(desk.timeoutMs)
  const held = new HeldInputs(desk, order, signal)
  try {
    return await polledOf(desk, order, held, signal)
  } catch (error) {
    if (error instanceof BrokenSource) return failed(order, 'internal', 'unknown')
    tellFault(desk, 'batch.poll_failed', order, error)
    return { kind: 'pending', ...triedOf(order) }
  } finally {
    held.letGo()
  }
}

async function polledOf(
  desk: Desk,
  order: ChunkOrder,
  held: HeldInputs,
  signal: AbortSignal,
): Promise<Polled> {
  const provider = desk.providerOf(order.model)
  const { providerRequestId: requestId } = order
  if (!provider || requestId === null) return { kind: 'pending', ...triedOf(order) }
  const references = order.items.map(({ key }) => key)
  const submitted = { ...callFor(order, signal), requestId, references, inputs: () => held.read() }
  const read = await orAborted(provider.read(submitted), signal)
  if (read.kind === 'done') return answered(desk, order, await held.read(), read)
  return { ...read, ...triedOf(order) }
}

const failed = (
  order: ChunkOrder,
  failure: FailureClass,
  usage: Extract<ChunkRead, { kind: 'failed' }>['usage'],
): Polled => ({ kind: 'failed', class: failure, retryAfterMs: null, usage, ...triedOf(order) })

async function answered(
  desk: Desk,
  order: ChunkOrder,
  inputs: readonly ChunkInput[],
  read: Extract<ChunkRead, { kind: 'done' }>,
): Promise<Polled> {
  const model = findModel(order.model)
  if (!model) throw new Error('A chunk is out at a model that is not in the catalog.')
  const items = order.items.map((item, place) => ({ ...item, input: inputs[place]?.input }))
  const params = JSON.parse(order.params ?? '{}') as unknown
  const verdict = verifyChunk({ kind: order.kind, model, params, items }, read.answers)
  if (verdict.kind === 'invalid_output') return failed(order, 'invalid_output', read.usage)
  const { kind: _, lines, ...verified } = verdict
  const { usage } = read
  const outputRef = await store(desk, order, lines)
  const answer: Omit<ChunkAnswer, keyof typeof verified> = {
    kind: 'answered',
    usage,
    modelVersion: nameOf(read.modelVersion),
    outputRef,
    ...triedOf(order),
  }
  return { ...answer, ...verified }
}

/** One try brings one answer, so whoever stored it before stored the same. */
async function store({ tenantId, acting, content }: Desk, order: ChunkOrder, lines: string): Promise<string> {
  const { chunk, epoch, tries } = order
  const outputRef = chunkOutputKey(tenantId, acting.batchId, chunk, epoch, tries)
  await content.put(outputRef, lines, createIfAbsent)
  return outputRef
}
