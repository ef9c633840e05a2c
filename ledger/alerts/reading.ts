/** What a check of the service goes by: how things stand, and counters of which only the growth within a window says anything. */
import { z } from '@hono/zod-openapi'

const count = z.int().nonnegative()

/** Since the beginning, of one model, items of batches among them. */
const ModelCounts = z.object({
  /** With a result or without; not what its customer cancelled. */
  ended: count,
  /** For which the time was over. */
  expired: count,
  /** Failed by what their customers cannot mend, the time aside. */
  failed: count,
  /** Of these, refused by the provider for our credential or our catalog. */
  refused: count,
})
export type ModelCounts = z.infer<typeof ModelCounts>

/** Of webhooks to tenants. */
const WebhookCounts = z.object({ attempts: count, failed: count })
export type WebhookCounts = z.infer<typeof WebhookCounts>

export const Counters = z.object({ models: z.record(z.string(), ModelCounts), webhooks: WebhookCounts })
export type Counters = z.infer<typeof Counters>

/** Times are milliseconds since the epoch; null where there is none. */
export interface FiguresReading extends Counters {
  readonly oldestWaitingAt: number | null
  readonly oldestUnfinishedAt: number | null
  readonly pastDeadline: number
  readonly batchesStalled: number
}

/** Each part is read by itself, and null where it could not be. */
export interface Reading {
  readonly figures: FiguresReading | null
  readonly letters: { readonly oldestOpenAt: number | null } | null
  /** Of the ledgers with work open, when the one that has been silent the longest was last heard of. */
  readonly ledgers: { readonly silentSince: number | null } | null
  readonly queues: readonly { readonly queue: string; readonly oldestAt: number | null }[] | null
}
