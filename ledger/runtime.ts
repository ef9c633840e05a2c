/**
 * What a ledger does by itself: release, notify, wake. The verbs are pure SQL; this is the part that knows the queues and the
 * alarm. What it keeps in memory can be lost at any moment and is made again from the tables.
 */
import { workedBatches } from './batches/rows.ts'
import { Waker } from './batches/waker.ts'
import { BURIED } from './buried-figures.ts'
import { Carrier } from './carrier.ts'
import type { Tally } from './context.ts'
import { nextDeliveries } from './deliveries.ts'
import { Desk, type Life } from './desk.ts'
import { livesAs } from './directory/living.ts'
import { openDirectory } from './directory/open.ts'
import { readTold, type Told } from './directory/orders.ts'
import { partsOf } from './directory/tenants.ts'
import { Dispatcher } from './dispatcher.ts'
import { Ending } from './ending.ts'
import { FirstWord } from './first-word.ts'
import type { Hindered } from './job-snapshots.ts'
import { countRunningJobs } from './jobs.ts'
import { keepMarks, marksOfWaiting } from './kept-marks.ts'
import { isCrowd } from './lanes.ts'
import type { Moment } from './limits-now.ts'
import { Listener } from './listener.ts'
import { errorName, log } from './log.ts'
import { Notifier } from './notifier.ts'
import type { Orders } from './orders.ts'
import { Outgoing } from './outgoing.ts'
import { Pauses } from './pauses.ts'
import { runnableJobs } from './release.ts'
import { Reporter } from './reporter.ts'
import { SEND_TIMEOUT_MS } from './sender.ts'
import { type LedgerSettings, ledgerSettings } from './settings.ts'
import { mayStart, StartableWork } from './startable.ts'
import { type Costs, type Db, openStore } from './store.ts'
import { nextDeadline, nextRetry } from './sweep.ts'
import { nextSweeps, sweepAll } from './sweeps.ts'
import type { TenantStanding } from './tenant-standing.ts'
import { Upkeep } from './upkeep.ts'
import { Waiters } from './waiters.ts'
import { Wake } from './wake.ts'

/** Between two rounds of follow-up work, so that a burst of calls shares one. */
const BUSY_PAUSE_MS = 10
/** After a fault in the alarm, how long until it tries again. */
const FAULT_PAUSE_MS = 1000
/** Calls of a tenant that may wait for news at once. */
const MAX_WAITERS = 20

function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

export class LedgerRuntime {
  readonly db: Db
  readonly costs: Costs = { calls: 0, rowsWritten: 0 }
  readonly wake: Wake
  readonly desk: Desk
  readonly #settings: LedgerSettings
  readonly #dispatcher: Dispatcher
  readonly #notifier: Notifier
  readonly #waker: Waker
  readonly #reporter: Reporter
  readonly #carrier: Carrier
  readonly #startable = new StartableWork()
  readonly #listener: Listener
  readonly #pauses = new Pauses()
  readonly #firstWord: FirstWord
  /** Names this life of the object. */
  readonly life = crypto.randomUUID()
  readonly outgoing = new Outgoing()
  readonly waiters = new Waiters(MAX_WAITERS, { now: Date.now, later })
  readonly #upkeep: Upkeep
  readonly #ending: Ending
  readonly #isAwaited: () => Promise<boolean>
  #ticking = false
  #tickedAt = 0

  constructor(ctx: DurableObjectState, env: GatewayEnv) {
    const touch = () => this.touch()
    this.db = openStore(ctx.storage, this.costs)
    this.#settings = ledgerSettings(env)
    this.wake = new Wake(ctx.storage)
    this.desk = new Desk(ctx.storage, this.db, this.costs, this.#settings, {
      asked: (now) => this.#listener.listen(now),
      written: (tally) => this.#written(tally),
    })
    const { tenantId, generation } = partsOf(ctx.id.name ?? '')
    const ask = async () => this.#take(await readTold(env.DIRECTORY, tenantId, generation))
    this.#listener = new Listener(ask, this.#settings.listenMs, touch)
    const parts = { now: Date.now, log, sendTimeoutMs: SEND_TIMEOUT_MS }
    const queues = {
      jobs: env.JOBS,
      'jobs-bulk': env.JOBS_BULK,
      'jobs-slow': env.JOBS_SLOW,
      'jobs-solo': env.JOBS_SOLO,
    }
    this.#dispatcher = new Dispatcher(queues, parts, this.#settings.sweepMs, touch)
    this.#notifier = new Notifier(env.CALLBACKS, parts, touch)
    this.#waker = new Waker(env.BATCHES, parts, this.#settings.batchGraceMs, touch)
    this.#reporter = new Reporter({
      db: this.db,
      ledger: ctx.id.name ?? '',
      everyMs: this.#settings.rollUpMs,
      life: () => this.desk.life,
      deadline: (now) => this.wake.nextDeadline(now, () => nextDeadline(this.db)),
      points: env.FIGURES,
    })
    this.#carrier = new Carrier(this.db, env.DIRECTORY, this.#reporter)
    this.#firstWord = new FirstWord(ask)
    this.#upkeep = new Upkeep(this.desk, this.db, env.CONTENT, this.#settings.sweepMs)
    this.#ending = new Ending({
      ledger: ctx.id.name ?? '',
      storage: ctx.storage,
      bucket: env.CONTENT,
      database: env.DIRECTORY,
      times: this.#settings.deletion,
      hasTables: () => this.desk.isProvisioned,
      lastSnapshot: (now) => {
        const life = this.desk.recall()
        return life && this.#reporter.last(life, now)
      },
      abort: (why) => ctx.abort(why),
      newName: () => `${BURIED}${crypto.randomUUID()}`,
    })
    this.#isAwaited = () => livesAs(openDirectory(env.DIRECTORY), ctx.id.name ?? '')
  }

  /** Its tenant is being deleted: there is nothing to load, and nothing to provision. */
  get isEnding() {
    return this.#ending.hasBegun
  }

  /** Whether it has a tenant: one without tables asks the directory, since it may have been deleted before it was told of something older. */
  async mayLive(): Promise<boolean> {
    if (this.isEnding) return false
    return this.desk.isProvisioned || ((await this.#isAwaited()) && !this.isEnding)
  }

  /** From now on the ledger is as if it had never been. Safe to repeat. */
  end(): void {
    const now = Date.now()
    this.#ending.begin(now)
    this.desk.end()
    this.waiters.dismiss()
    this.wake.by(this.#ending.nextAt(now) ?? now)
  }

  /** Makes the memory of a provisioned ledger again, and the alarm if work is open and none is set. */
  async load(): Promise<void> {
    if (!this.isEnding && !this.desk.isProvisioned) return
    await this.wake.load()
    if (this.isEnding) return this.end()
    this.desk.load()
    this.#reporter.load()
    this.#dispatcher.restore(marksOfWaiting(this.db), Date.now() + this.#settings.sweepMs)
    if (!this.wake.isSet && this.#nextWake(Date.now()) !== null) this.wake.by(Date.now() + FAULT_PAUSE_MS)
  }

  provision(standing: TenantStanding): void {
    this.#firstWord.heard()
    const sentBefore = this.desk.sends
    this.desk.provision(standing)
    if (this.desk.sends && !sentBefore) this.#wakeBatches()
    this.touch()
  }

  /** Resolves when the ledger may let something out, as far as it is up to it to know how its tenant stands. */
  async informed(): Promise<void> {
    if (this.desk.life) await this.#firstWord.wait()
  }

  /** Whether anything is let out now; asks the directory first where that has not happened. */
  get #sends(): boolean {
    if (!this.desk.sends) return false
    if (!this.#firstWord.isHeard) void this.#firstWord.wait().then(() => this.touch())
    return this.#firstWord.isHeard
  }

  /** Orders that were read a moment ago; what they let go on goes on at once. */
  hear(orders: Orders): void {
    this.#listener.heard()
    if (!this.desk.hear(orders)) return
    this.#wakeBatches()
    this.touch()
  }

  /** What the directory says of this ledger's tenant and of all. */
  #take({ orders, standing }: Told): void {
    this.hear(orders)
    if (standing && standing.revision > (this.desk.life?.standing.revision ?? 0)) this.provision(standing)
    this.#firstWord.heard()
  }

  /** Their Workflows look again, since other work may start now. */
  #wakeBatches(): void {
    const { life } = this.desk
    if (!life) return
    const worked = workedBatches(this.db).map(({ id }) => id)
    this.#waker.wake(life.identity.tenantId, new Set(worked))
  }

  /** A transaction has written something. */
  #written({ opened, usage, woken, attempts }: Tally): void {
    const { life } = this.desk
    if (life) this.#waker.wake(life.identity.tenantId, woken)
    if (opened.length + usage.size + woken.size + attempts.length > 0) this.#reporter.changed()
    this.touch()
  }

  takeStart(now: number): boolean {
    return this.desk.life?.limits.takeStart(now) ?? false
  }

  /** The job needs its mark no more: it was claimed, its message was of no use, or it ended. */
  freed(jobId: string, claimed: boolean): void {
    this.#dispatcher.free(jobId, claimed)
    this.touch()
  }

  /** What the tables do not tell of the limits: the pace, and how many jobs were dispatched and are not running yet. */
  moment(now: number): Moment | null {
    const { life } = this.desk
    return life && { pace: life.limits.pace(now), dispatched: this.#dispatcher.size }
  }

  drained(endpointId: string): void {
    this.#notifier.ended(endpointId)
    this.touch()
  }

  /** Whether a job that is due is held by operators, or waits for a limit of its tenant or of its model's provider. */
  readonly hindered: Hindered = (job) => {
    const { life } = this.desk
    const now = Date.now()
    if (life === null || this.#dispatcher.has(job.id)) return null
    if (job.status === 'retrying' && (job.dueAt ?? 0) > now) return null
    if (!this.desk.sends || !mayStart(this.#view(life), job)) return 'intake_paused'
    return this.#slots(life, now) === 0 || this.#pauses.has(job.model, now) ? 'waiting_for_limit' : null
  }

  #view = ({ identity, orders }: Life) => ({ identity, orders, settings: this.#settings })

  /** The provider of the model lets nothing through for now. */
  pause(model: string, until: number): void {
    this.#pauses.pause(model, until)
  }

  #slots = ({ limits }: Life, now: number) => Math.max(0, limits.startsLeft(now) - this.#dispatcher.size)

  /** Something may have changed: what is due follows right after this turn, or with a burst of others, and the alarm stands behind it. */
  touch(): void {
    if (!this.desk.life) return
    this.wake.by(Date.now() + this.#settings.sweepMs)
    if (this.#ticking) return
    this.#ticking = true
    setTimeout(() => this.#tick(), Math.max(0, this.#tickedAt + BUSY_PAUSE_MS - Date.now()))
  }

  /** Catches everything: it runs outside of any call, and the alarm follows up. */
  #tick(): void {
    this.#ticking = false
    this.waiters.wake()
    const { life } = this.desk
    if (!life) return
    try {
      const now = Date.now()
      this.#tickedAt = now
      this.#listener.listen(now)
      this.#release(life, now)
      this.#notify(life, now)
      this.#remind(life, now)
      this.#carrier.carry()
      this.#upkeep.remove(now)
      const due = [
        nextRetry(this.db, now),
        this.#pauses.nextEnd(now),
        this.#upkeep.nextExpiry(),
        life.webhooks.keepAt,
      ]
      for (const at of due) if (at !== null) this.wake.by(at)
    } catch (error) {
      log('ledger.tick_failed', { error: errorName(error) })
    }
  }

  #release(life: Life, now: number): void {
    if (!this.#sends || !this.#listener.isInformed || now < this.#dispatcher.pausedUntil) return
    const slots = this.#slots(life, now)
    if (slots === 0) return
    const paused = this.#pauses.models(now)
    const startable = this.#startable.of(this.#view(life))
    const jobs = runnableJobs(this.db, now, slots, this.#dispatcher, startable, paused)
    this.#dispatcher.dispatch(life.identity.tenantId, jobs, now, isCrowd(life.open.total))
  }

  #notify(life: Life, now: number): void {
    if (!this.#sends) return
    const upcoming = nextDeliveries(this.db, this.outgoing, now)
    const due = upcoming.filter(({ at }) => at <= now).map(({ endpointId }) => endpointId)
    this.#notifier.notify(life.identity.tenantId, due, now)
    for (const { endpointId, at } of upcoming) this.wake.by(this.#notifier.wakeAt(endpointId, at))
  }

  /** Batches of a tenant that nothing leaves for are polled and collected like its running jobs; the ledger says that nothing new is sent. */
  #remind(life: Life, now: number): void {
    const batches = workedBatches(this.db)
    this.#waker.remind(life.identity.tenantId, batches, now)
    for (const batch of batches) this.wake.by(this.#waker.wakeAt(batch))
  }

  /** SQL first; what goes to queues and directory is started and not awaited; last, the alarm is set afresh. */
  async alarm(): Promise<void> {
    this.wake.fired()
    let next: number | null
    try {
      this.#ending.advance(Date.now())
      if (this.desk.life) this.#sweep(this.desk.life, Date.now())
      next = this.#nextWake(Date.now())
    } catch (error) {
      log('ledger.alarm_failed', { error: errorName(error) })
      next = Date.now() + FAULT_PAUSE_MS
    }
    await this.wake.only(next)
  }

  #sweep(life: Life, now: number): void {
    this.desk.transact(life, now, (ctx) => {
      sweepAll(ctx)
      keepMarks(this.db, this.#dispatcher.state())
    })
    if ((life.webhooks.keepAt ?? now) <= now) life.webhooks.keep()
    void this.#dispatcher.sweep(now)
    this.#upkeep.sweep(life, now)
    this.#upkeep.look(life, now)
    this.#tick()
  }

  /** The earliest moment at which anything is due, read afresh; null when nothing is open. */
  #nextWake(now: number): number | null {
    const { life } = this.desk
    if (!life) return this.#ending.nextAt(now)
    const waiting = life.open.total > countRunningJobs(this.db)
    const times = [
      ...nextSweeps(this.db, now),
      waiting ? this.#pauses.nextEnd(now) : null,
      this.wake.nextDeadline(now, () => nextDeadline(this.db)),
      this.#dispatcher.nextSweepAt(),
      waiting ? now + this.#settings.sweepMs : null,
      waiting ? this.#listener.nextAt : null,
      waiting ? life.limits.startsAgainAt(now) : null,
      this.#carrier.nextAt(now),
      life.webhooks.keepAt,
      this.#upkeep.nextAt(now),
      ...workedBatches(this.db).map(this.#waker.wakeAt),
      ...(this.desk.sends ? this.#nextNotices(now) : []),
    ].filter((at) => at !== null)
    return times.length > 0 ? Math.min(...times) : null
  }

  /** When to look after each endpoint that is owed something. */
  #nextNotices = (now: number): number[] =>
    nextDeliveries(this.db, this.outgoing, now).map(({ endpointId, at }) =>
      this.#notifier.wakeAt(endpointId, at),
    )
}
