/** What a ledger does for order by itself: content and rows that are over, objects in R2 that are doomed or that nobody names. */
import { nextBatchExpiry, sweepBatchContent } from './batches/content.ts'
import type { Desk, Life } from './desk.ts'
import { keepHouse, nextHousekeeping } from './housekeeping.ts'
import { Janitor } from './janitor.ts'
import { errorName, log } from './log.ts'
import { Remover } from './remover.ts'
import { nextExpiry, sweepContent } from './retention.ts'
import type { Db } from './store.ts'

const FAULT_PAUSE_MS = 60_000

export class Upkeep {
  readonly #db: Db
  readonly #desk: Desk
  readonly #remover: Remover
  readonly #janitor: Janitor
  #pausedUntil = 0

  constructor(desk: Desk, db: Db, bucket: R2Bucket) {
    this.#db = db
    this.#desk = desk
    this.#remover = new Remover(db, bucket)
    this.#janitor = new Janitor(db, bucket, (body) => desk.work(undefined, body))
  }

  /** SQL only, in a transaction of its own: what goes wrong here must not hold up leases and deadlines. */
  sweep(life: Life, now: number): void {
    if (now < this.#pausedUntil) return
    try {
      this.#desk.transact(life, now, (ctx) => {
        sweepContent(ctx)
        sweepBatchContent(ctx)
        keepHouse(ctx)
      })
    } catch (error) {
      this.#pausedUntil = now + FAULT_PAUSE_MS
      log('ledger.upkeep_failed', { tenant_id: life.identity.tenantId, error: errorName(error) })
    }
  }

  /** Starts deleting what is doomed. */
  remove(now: number): void {
    this.#remover.remove(now)
  }

  /** Starts looking for what nobody names. */
  look({ identity }: Life, now: number): void {
    this.#janitor.look(identity.tenantId, now)
  }

  /** When content expires next: exactly then it is to go. */
  nextExpiry(): number | null {
    const times = [nextExpiry(this.#db), nextBatchExpiry(this.#db)].filter((at) => at !== null)
    return times.length > 0 ? Math.min(...times) : null
  }

  /** When anything of all this is due; null when nothing is. */
  nextAt(now: number): number | null {
    const swept = [this.nextExpiry(), nextHousekeeping(this.#db)]
    const times = [
      ...swept.map((at) => (at === null ? null : Math.max(at, this.#pausedUntil))),
      this.#remover.nextAt(now),
      this.#janitor.nextAt(now),
    ].filter((at) => at !== null)
    return times.length > 0 ? Math.min(...times) : null
  }
}
