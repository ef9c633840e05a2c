/** Calls a chunk off at its provider, whatever comes of it: nobody waits for its answer any more. */
import type { ChunkOrder } from '../../ledger/batches/protocol.ts'
import { orAborted } from '../or-aborted.ts'
import { readableInputs } from './chunk-content.ts'
import type { Desk } from './desk.ts'
import { requestFor } from './request.ts'
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
  if (!provider || order.providerRequestId === null) return
  const inputs = (await readableInputs(desk, order)) ?? []
  const signal = AbortSignal.timeout(desk.timeoutMs)
  const submitted = { ...requestFor(order, inputs, signal), requestId: order.providerRequestId }
  await orAborted(provider.cancel(submitted), signal)
}
