/** What a ledger does for order by itself: content and rows that are over, objects in R2 that are doomed or that nobody names. */
import { nextBatchExpiry, sweepBatchContent } from './batches/content.ts'
import type { Desk } from './desk.ts'
import { earliest } from './earliest.ts'
import { keepHouse, nextHousekeeping } from './housekeeping.ts'
import { Janitor } from './janitor.ts'
import type { Life } from './life.ts'
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
  readonly #gatheredMs: number
  #pausedUntil = 0
  /** Content has just gone because its time was up: what is due soon after goes with what follows it. */
  #gatheringUntil = 0

  /** `gatheredMs`: how long content whose time is up may wait after other content has gone. */
  constructor(desk: Desk, db: Db, bucket: R2Bucket, gatheredMs: number) {
    this.#gatheredMs = gatheredMs
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
        const expired = sweepContent(ctx)
        sweepBatchContent(ctx)
        keepHouse(ctx)
        if (expired > 0 && (this.#earliestExpiry() ?? now + 1) > now)
          this.#gatheringUntil = now + this.#gatheredMs
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

  /**
   * When content is next to go: exactly when its time is up, unless other content has just gone. So a steady stream of jobs does not
   * take an alarm for each of them. It cannot be read any more in either case.
   */
  nextExpiry(): number | null {
    const at = this.#earliestExpiry()
    return at === null ? null : Math.max(at, this.#gatheringUntil)
  }

  #earliestExpiry(): number | null {
    return earliest([nextExpiry(this.#db), nextBatchExpiry(this.#db)])
  }

  /** When anything of all this is due; null when nothing is. */
  nextAt(now: number): number | null {
    const swept = [this.nextExpiry(), nextHousekeeping(this.#db)]
    return earliest([
      ...swept.map((at) => (at === null ? null : Math.max(at, this.#pausedUntil))),
      this.#remover.nextAt(now),
      this.#janitor.nextAt(now),
    ])
  }
}
