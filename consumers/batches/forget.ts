/** What a provider keeps of a chunk whose outcome is on record can go. Best effort: it expires by itself, only later. */
import type { ChunkOrder } from '../../ledger/batches/protocol.ts'
import { orAborted } from '../or-aborted.ts'
import type { Desk } from './desk.ts'
import { callFor } from './request.ts'
import { tellFault } from './tell.ts'

export async function forgetChunk(desk: Desk, order: ChunkOrder): Promise<void> {
  const provider = desk.providerOf(order.model)
  if (!provider?.forget || order.providerRequestId === null) return
  const signal = AbortSignal.timeout(desk.timeoutMs)
  const taken = { ...callFor(order, signal), requestId: order.providerRequestId }
  try {
    await orAborted(provider.forget(taken), signal)
  } catch (error) {
    tellFault(desk, 'batch.forget_failed', order, error)
  }
}
