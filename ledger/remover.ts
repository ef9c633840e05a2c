/** Deletes doomed content from R2, in pages and in the background. An R2 that is down delays it and loses nothing. */
import { Background } from './background.ts'
import { doomedRefs, forgetDoomed, nextDoom } from './content-refs.ts'
import { removeObjects } from './removal.ts'
import { within } from './sender.ts'
import type { Db } from './store.ts'

const PAGE = 100
const PAGE_TIMEOUT_MS = 60_000
/** Of a whole run; what is left then goes with the next. */
const RUN_TIMEOUT_MS = 10 * 60_000

export class Remover {
  readonly #db: Db
  readonly #bucket: R2Bucket
  readonly #background = new Background('content.remove_failed', RUN_TIMEOUT_MS)

  constructor(db: Db, bucket: R2Bucket) {
    this.#db = db
    this.#bucket = bucket
  }

  /** Starts deleting if anything is due; never throws, never waits. */
  remove(now: number): void {
    const at = nextDoom(this.#db)
    if (at !== null && at <= now) this.#background.start(now, () => this.#run())
  }

  /** When to look again; null when nothing is doomed. */
  nextAt(now: number): number | null {
    return this.#background.nextAt(nextDoom(this.#db), now)
  }

  async #run(): Promise<void> {
    while (await this.#removePage(Date.now()));
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
