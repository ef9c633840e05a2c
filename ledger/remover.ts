/** Deletes doomed content from R2, in pages and in the background. An R2 that is down delays it and loses nothing. */
import { doomedRefs, forgetDoomed, nextDoom } from './content-refs.ts'
import { errorName, log } from './log.ts'
import { removeObjects } from './removal.ts'
import { within } from './sender.ts'
import type { Db } from './store.ts'

const PAGE = 100
const PAGE_TIMEOUT_MS = 60_000
const PAUSE_MS = 5000
const PAUSE_CAP_MS = 300_000

export class Remover {
  readonly #db: Db
  readonly #bucket: R2Bucket
  #busy = false
  #failures = 0
  #pausedUntil = 0

  constructor(db: Db, bucket: R2Bucket) {
    this.#db = db
    this.#bucket = bucket
  }

  /** Starts deleting if anything is due; never throws, never waits. */
  remove(now: number): void {
    if (this.#busy || now < this.#pausedUntil) return
    if ((nextDoom(this.#db) ?? Number.POSITIVE_INFINITY) <= now) void this.#run()
  }

  /** When to look again; null when nothing is doomed. */
  nextAt(now: number): number | null {
    if (this.#busy) return now + PAUSE_MS
    const at = nextDoom(this.#db)
    return at === null ? null : Math.max(this.#pausedUntil, at)
  }

  async #run(): Promise<void> {
    this.#busy = true
    try {
      while (await this.#removePage(Date.now())) this.#failures = 0
    } catch (error) {
      this.#pausedUntil = Date.now() + Math.min(PAUSE_CAP_MS, PAUSE_MS * 2 ** this.#failures++)
      log('content.remove_failed', { error: errorName(error) })
    } finally {
      this.#busy = false
    }
  }

  /** Whether there was anything to delete. */
  async #removePage(now: number): Promise<boolean> {
    const refs = doomedRefs(this.#db, now, PAGE)
    if (refs.length === 0) return false
    await within(PAGE_TIMEOUT_MS, removeObjects(this.#bucket, refs))
    forgetDoomed(this.#db, refs, now)
    return true
  }
}
