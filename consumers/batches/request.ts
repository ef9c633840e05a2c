/** A chunk as its provider is asked about it. */
import type { ChunkOrder, Tried } from '../../ledger/batches/protocol.ts'
import { randomBytes } from '../../ledger/ids.ts'
import { continueTrace } from '../../ledger/trace.ts'
import type { ChunkCall } from '../batch-provider.ts'

export const callFor = (order: ChunkOrder, signal: AbortSignal): ChunkCall => ({
  kind: order.kind,
  model: order.model,
  params: JSON.parse(order.params ?? '{}') as unknown,
  key: order.key,
  traceparent: continueTrace(order.traceparent, randomBytes),
  signal,
})

export const triedOf = ({ chunk, epoch, tries }: Tried): Tried => ({ chunk, epoch, tries })
