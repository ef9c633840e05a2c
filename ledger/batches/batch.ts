/**
 * The life of a batch. Pure: no I/O and no clock. One table; nothing else changes a status.
 *
 *   accepted ──begin──▶ processing ──complete──▶ completed
 *      │                    │   ├──complete in part──▶ partially_failed
 *      │                    │   └──fail──▶ failed               every end ──discard──▶ discarded
 *      └──expire, cancel────┴──▶ expired, cancelled
 */
import { type BatchStatus, batchStatuses } from '../../openapi/batch-states.ts'

export type BatchEvent = 'begin' | 'complete' | 'complete_in_part' | 'fail' | 'expire' | 'cancel' | 'discard'

const stops = { expire: 'expired', cancel: 'cancelled' } as const
const ends = {
  complete: 'completed',
  complete_in_part: 'partially_failed',
  fail: 'failed',
  ...stops,
} as const
const discards = { discard: 'discarded' } as const

const transitions: Record<BatchStatus, Partial<Record<BatchEvent, BatchStatus>>> = {
  accepted: { begin: 'processing', ...stops },
  processing: ends,
  completed: discards,
  partially_failed: discards,
  failed: discards,
  expired: discards,
  cancelled: discards,
  discarded: {},
}

/** The status that an event leads to; null where there is no such move: it came too late, or twice. */
export const advanceBatch = (status: BatchStatus, event: BatchEvent): BatchStatus | null =>
  transitions[status][event] ?? null

/** Whether the batch has ended: nothing of its items changes any more. */
export const isBatchOver = (status: BatchStatus) => transitions[status].cancel === undefined

export const openBatchStatuses = batchStatuses.filter((status) => !isBatchOver(status))

/** Items by what became of them; `total` is the sum of the others. */
export interface BatchCounts {
  readonly total: number
  readonly pending: number
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  readonly expired: number
}

/** How a batch ends of which no item is pending any more. `invalidItems`: lines of its source that were no items. */
export function endingOf({ total, succeeded, expired }: BatchCounts, invalidItems: number): BatchEvent {
  if (expired > 0) return 'expire'
  if (succeeded === 0) return 'fail'
  return succeeded === total && invalidItems === 0 ? 'complete' : 'complete_in_part'
}
