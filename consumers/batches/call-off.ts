/** Calls a chunk off at its provider, whatever comes of it: nobody waits for its answer any more. */
import type { ChunkOrder } from '../../ledger/batches/protocol.ts'
import type { BatchProvider, ChunkCall } from '../batch-provider.ts'
import { orAborted } from '../or-aborted.ts'
import type { Desk } from './desk.ts'
import { callFor } from './request.ts'
import { tellFault } from './tell.ts'

export async function callOffChunk(desk: Desk, chunk: number): Promise<void> {
  const [order] = await desk.ledger((ledger) => ledger.pollOrders(desk.acting, [chunk]))
  if (!order) return
  try {
    await callOff(desk, order)
  } catch (error) {
    tellFault(desk, 'batch.call_off_failed', order, error)
  }
  await desk.permits.ended(order.model, chunk, 'other')
}

async function callOff(desk: Desk, order: ChunkOrder): Promise<void> {
  const provider = desk.providerOf(order.model)
  if (!provider) return
  const signal = AbortSignal.timeout(desk.timeoutMs)
  const call = callFor(order, signal)
  const requestId = order.providerRequestId ?? (await foundAt(provider, call))
  if (requestId !== null) await orAborted(provider.cancel({ ...call, requestId }), signal)
}

/** It was given up while nobody knew whether it had arrived. */
async function foundAt(provider: BatchProvider, call: ChunkCall): Promise<string | null> {
  const answer = await orAborted(provider.reconcile(call), call.signal)
  return answer.kind === 'found' ? answer.requestId : null
}
