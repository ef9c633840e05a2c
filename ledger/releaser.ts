/**
 * Lets a ledger's jobs go: which are sent to the queues now, what the others wait for, and when that may change. What is dispatched and
 * which models are paused is in memory; all else is read from the tables and the limits.
 */
import type { Desk } from './desk.ts'
import type { Dispatcher } from './dispatcher.ts'
import { earliest } from './earliest.ts'
import type { Hindered } from './job-snapshots.ts'
import { countRunningJobs } from './jobs.ts'
import { keepMarks, marksOfWaiting } from './kept-marks.ts'
import { isCrowd } from './lanes.ts'
import type { Life } from './life.ts'
import type { Moment } from './limits-now.ts'
import type { Listener } from './listener.ts'
import { Pauses } from './pauses.ts'
import { runnableJobs } from './release.ts'
import type { LedgerSettings } from './settings.ts'
import { mayStart, StartableWork } from './startable.ts'
import type { Db } from './store.ts'

export interface ReleaserParts {
  readonly db: Db
  readonly desk: Desk
  readonly settings: LedgerSettings
  readonly listener: Listener
  readonly dispatcher: Dispatcher
  /** Another job may go now. */
  readonly onFreed: () => void
}

export class Releaser {
  readonly #parts: ReleaserParts
  readonly #startable = new StartableWork()
  readonly #pauses = new Pauses()

  constructor(parts: ReleaserParts) {
    this.#parts = parts
  }

  /** Takes over what an earlier life of the object has dispatched. */
  load(now: number): void {
    const { db, dispatcher, settings } = this.#parts
    dispatcher.restore(marksOfWaiting(db), now + settings.sweepMs)
  }

  /** Dispatches what may run now. */
  release(life: Life, now: number): void {
    const { db, listener, dispatcher } = this.#parts
    if (!listener.knowsOrders(now) || now < dispatcher.pausedUntil) return
    const slots = this.#slots(life, now)
    if (slots === 0) return
    const startable = this.#startable.of(this.#view(life))
    const jobs = runnableJobs(db, now, slots, dispatcher, startable, this.#pauses.models(now))
    dispatcher.dispatch(life.identity.tenantId, jobs, now, isCrowd(life.open.total))
  }

  /** Whether a job that is due is held by operators, or waits for a limit of its tenant or of its model's provider. */
  readonly hindered: Hindered = (job) => {
    const { desk, dispatcher } = this.#parts
    const { life } = desk
    const now = Date.now()
    if (life === null || dispatcher.has(job.id)) return null
    if (job.status === 'retrying' && (job.dueAt ?? 0) > now) return null
    if (!desk.sends || !mayStart(this.#view(life), job)) return 'intake_paused'
    return this.#slots(life, now) === 0 || this.#pauses.has(job.model, now) ? 'waiting_for_limit' : null
  }

  /** Whether one more job may start, which is counted then. */
  takeStart(now: number): boolean {
    return this.#parts.desk.life?.limits.takeStart(now) ?? false
  }

  /** What the tables do not tell of the limits: the pace, and how many jobs were dispatched and are not running yet. */
  moment(now: number): Moment | null {
    const { life } = this.#parts.desk
    return life && { pace: life.limits.pace(now), dispatched: this.#parts.dispatcher.size }
  }

  /** The job needs its mark no more: it was claimed, its message was of no use, or it ended. */
  freed(jobId: string, claimed: boolean): void {
    this.#parts.dispatcher.free(jobId, claimed)
    this.#parts.onFreed()
  }

  /** The provider of the model lets nothing through for now. */
  pause(model: string, until: number): void {
    this.#pauses.pause(model, until)
  }

  /** When the first pause ends; null without any. */
  nextPauseEnd = (now: number): number | null => this.#pauses.nextEnd(now)

  /** Writes what an eviction must not forget; belongs into a transaction. */
  keep(): void {
    keepMarks(this.#parts.db, this.#parts.dispatcher.state())
  }

  /** Starts looking after what nobody has claimed in time; never waits. */
  sweep(now: number): void {
    void this.#parts.dispatcher.sweep(now)
  }

  /** When to look again, retries aside; null when nothing waits and nothing is dispatched. */
  nextAt(life: Life, now: number): number | null {
    const { db, settings, listener, dispatcher } = this.#parts
    const swept = dispatcher.nextSweepAt()
    if (life.open.total <= countRunningJobs(db)) return swept
    return earliest([
      swept,
      now + settings.sweepMs,
      listener.nextAt,
      this.#pauses.nextEnd(now),
      life.limits.startsAgainAt(now),
    ])
  }

  #view = ({ identity, orders }: Life) => ({ identity, orders, settings: this.#parts.settings })

  #slots = ({ limits }: Life, now: number) =>
    Math.max(0, limits.startsLeft(now) - this.#parts.dispatcher.size)
}
