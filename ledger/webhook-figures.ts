/**
 * How attempts at webhooks' receivers came out. An attempt has no row to be counted in, so the counters live in memory and are written
 * at most every few seconds, and before each snapshot: what a crash takes along was counted in the seconds before it.
 */
import { added, observed, unobserved } from './counts.ts'
import { firstAttemptBounds, type WebhookFigures } from './figures.ts'
import { readMeta, writeMeta } from './meta.ts'
import type { Db } from './store.ts'

export interface WebhookAttempt {
  /** `delivered`, or the word of its error. */
  readonly outcome: string
  /** Since the delivery was made, for its first attempt; null for others. */
  readonly firstAfterMs: number | null
}

const KEEP_MS = 5000

export const noWebhooks: WebhookFigures = { attempts: {}, firstAttempt: unobserved(firstAttemptBounds) }

export class WebhookCounts {
  readonly #db: Db
  #figures: WebhookFigures
  #keepAt: number | null = null

  constructor(db: Db) {
    this.#db = db
    this.#figures = readMeta(db, 'webhookFigures') ?? noWebhooks
  }

  get figures(): WebhookFigures {
    return this.#figures
  }

  get total(): number {
    return Object.values(this.#figures.attempts).reduce((sum, count) => sum + count, 0)
  }

  /** When they are to be written; null when they are. */
  get keepAt(): number | null {
    return this.#keepAt
  }

  count(attempts: readonly WebhookAttempt[], now: number): void {
    this.#figures = attempts.reduce(counted, this.#figures)
    if (attempts.length > 0) this.#keepAt ??= now + KEEP_MS
  }

  /** Writes what is not written yet. */
  keep(): void {
    if (this.#keepAt === null) return
    writeMeta(this.#db, 'webhookFigures', this.#figures)
    this.#keepAt = null
  }
}

export const counted = (
  { attempts, firstAttempt }: WebhookFigures,
  { outcome, firstAfterMs }: WebhookAttempt,
): WebhookFigures => ({
  attempts: { ...attempts, [outcome]: (attempts[outcome] ?? 0) + 1 },
  firstAttempt:
    firstAfterMs === null ? firstAttempt : added(firstAttempt, observed(firstAttemptBounds, firstAfterMs)),
})
