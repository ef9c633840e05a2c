/**
 * What a ledger keeps in memory and does by itself: admission, release, waking. The verbs are pure SQL; this is the part that
 * knows the clock, the queues and the alarm. Everything here can be lost at any moment and is made again from the tables.
 */
import type { Plan } from '../openapi/ops.ts'
import { Carrier } from './carrier.ts'
import type { Identity, LedgerContext } from './context.ts'
import { nextDeliveries } from './deliveries.ts'
import { Dispatcher } from './dispatcher.ts'
import { randomBytes } from './ids.ts'
import { countOpen, type LimitedNow } from './jobs.ts'
import { Limits, tooFast } from './limits.ts'
import { errorName, log } from './log.ts'
import { readMeta, writeMeta } from './meta.ts'
import { Notifier } from './notifier.ts'
import { runnableJobs } from './release.ts'
import { type Outcome, type Rate, type Reply, refused } from './replies.ts'
import { SEND_TIMEOUT_MS } from './sender.ts'
import { type LedgerSettings, ledgerSettings } from './settings.ts'
import { type Costs, type Db, openStore } from './store.ts'
import { nextDeadline, nextLeaseEnd, nextRetry, sweepDeadlines, sweepLeases } from './sweep.ts'
import { Wake } from './wake.ts'

interface Life {
  readonly identity: Identity
  readonly limits: Limits
  readonly suspended: boolean
  /** Unfinished jobs. */
  open: number
}

const noRate: Rate = { limit: 0, remaining: 0, resetSeconds: 60 }
/** After a fault in the alarm, how long until it tries again. */
const FAULT_PAUSE_MS = 1000

export class LedgerRuntime {
  readonly db: Db
  readonly costs: Costs = { calls: 0, rowsWritten: 0 }
  readonly wake: Wake
  readonly #storage: DurableObjectStorage
  readonly #settings: LedgerSettings
  readonly #dispatcher: Dispatcher
  readonly #notifier: Notifier
  readonly #carrier: Carrier
  #life: Life | null = null
  #ticking = false

  constructor(ctx: DurableObjectState, env: GatewayEnv) {
    this.#storage = ctx.storage
    this.db = openStore(ctx.storage, this.costs)
    this.#settings = ledgerSettings(env)
    this.wake = new Wake(ctx.storage)
    const parts = { now: Date.now, log, sendTimeoutMs: SEND_TIMEOUT_MS }
    const queues = { jobs: env.JOBS, 'jobs-slow': env.JOBS_SLOW, 'jobs-solo': env.JOBS_SOLO }
    this.#dispatcher = new Dispatcher(queues, parts, this.#settings.sweepMs, () => this.#touch())
    this.#notifier = new Notifier(env.CALLBACKS, parts, () => this.#touch())
    this.#carrier = new Carrier(this.db, env.DIRECTORY, ctx.id.name ?? '', () => this.openJobs)
  }

  get isProvisioned(): boolean {
    return this.#storage.sql.exec("select 1 from sqlite_master where name = 'meta'").toArray().length > 0
  }

  /** Makes the memory of a provisioned ledger again, and the alarm if work is open and none is set. */
  async load(): Promise<void> {
    const identity = readMeta(this.db, 'identity')
    const plan = readMeta(this.db, 'plan')
    if (!identity || !plan) return
    this.#life = this.#livingAs(identity, plan, 'unknown')
    this.#dispatcher.restore(readMeta(this.db, 'marks') ?? {})
    await this.wake.load()
    if (!this.wake.isSet && this.#nextWake(Date.now()) !== null) this.wake.by(Date.now() + FAULT_PAUSE_MS)
  }

  provision(identity: Identity, plan: Plan): void {
    this.#storage.transactionSync(() => {
      writeMeta(this.db, 'identity', identity)
      writeMeta(this.db, 'plan', plan)
    })
    if (this.#life) this.#life.limits.plan = plan
    else this.#life = this.#livingAs(identity, plan, 'fresh')
    this.#touch()
  }

  #livingAs(identity: Identity, plan: Plan, memory: 'fresh' | 'unknown'): Life {
    return {
      identity,
      limits: new Limits(this.db, plan, Date.now(), memory),
      suspended: readMeta(this.db, 'suspended') ?? false,
      open: countOpen(this.db),
    }
  }

  /** A tenant's request: refused when unprovisioned, suspended or over the rate; else the verb, in one transaction. */
  admit<T>(verb: (ctx: LedgerContext) => Outcome<T>): Reply<T> {
    this.costs.calls++
    const life = this.#life
    if (!life)
      return {
        ...refused('unavailable', 'The tenant is not ready yet.', { retryAfterSeconds: 5 }),
        rate: noRate,
      }
    if (life.suspended) return { ...refused('tenant-suspended', 'The tenant is suspended.'), rate: noRate }
    const now = Date.now()
    const { granted, rate } = life.limits.takeRequest(now)
    return granted ? { ...this.#transact(life, now, verb), rate } : { ...tooFast(rate), rate }
  }

  /** Work of our own Workers: no rate, and `otherwise` from a ledger that is not provisioned. */
  work<T>(otherwise: T, verb: (ctx: LedgerContext) => T): T {
    this.costs.calls++
    return this.#life ? this.#transact(this.#life, Date.now(), verb) : otherwise
  }

  #transact<T>(life: Life, now: number, verb: (ctx: LedgerContext) => T): T {
    const tally = { opened: 0, ended: 0 }
    const { identity, limits } = life
    const settings = this.#settings
    const ctx = {
      db: this.db,
      now,
      random: Math.random,
      randomBytes,
      identity,
      plan: limits.plan,
      settings,
      tally,
    }
    const rowsBefore = this.costs.rowsWritten
    const result = this.#storage.transactionSync(() => {
      const value = verb(ctx)
      limits.keep()
      return value
    })
    life.open += tally.opened - tally.ended
    if (this.costs.rowsWritten > rowsBefore) this.#touch()
    return result
  }

  get openJobs() {
    return this.#life?.open ?? 0
  }

  takeStart(now: number): boolean {
    return this.#life?.limits.takeStart(now) ?? false
  }

  /** The job needs its mark no more: it was claimed, its message was of no use, or it ended. */
  freed(jobId: string, claimed: boolean): void {
    this.#dispatcher.free(jobId, claimed)
    this.#touch()
  }

  /** Looks at everything that is due, and sets the alarm, as after any change. */
  poke(): void {
    this.costs.calls++
    if (this.#life) this.#touch()
  }

  drained(endpointId: string): void {
    this.costs.calls++
    this.#notifier.ended(endpointId)
    this.#touch()
  }

  /** Whether an accepted job waits for a limit of its tenant. */
  readonly limitedNow: LimitedNow = ({ id }) => {
    const life = this.#life
    return life !== null && !this.#dispatcher.has(id) && this.#slots(life, Date.now()) === 0
  }

  #slots = ({ limits }: Life, now: number) => Math.max(0, limits.startsLeft(now) - this.#dispatcher.size)

  /** Something changed: work follows right after this turn, and the alarm stands behind it. */
  #touch(): void {
    this.wake.by(Date.now() + this.#settings.sweepMs)
    if (this.#ticking) return
    this.#ticking = true
    setTimeout(() => this.#tick(), 0)
  }

  /** Catches everything: it runs outside of any call, and the alarm follows up. */
  #tick(): void {
    this.#ticking = false
    if (!this.#life) return
    try {
      const now = Date.now()
      this.#release(this.#life, now)
      this.#notify(this.#life, now)
      this.#carrier.carry()
      const retry = nextRetry(this.db, now)
      if (retry !== null) this.wake.by(retry)
    } catch (error) {
      log('ledger.tick_failed', { error: errorName(error) })
    }
  }

  #release(life: Life, now: number): void {
    if (life.suspended || now < this.#dispatcher.pausedUntil) return
    const slots = this.#slots(life, now)
    if (slots === 0) return
    const jobs = runnableJobs(this.db, now, slots, this.#dispatcher)
    this.#dispatcher.dispatch(life.identity.tenantId, jobs, now)
  }

  #notify(life: Life, now: number): void {
    if (life.suspended) return
    const upcoming = nextDeliveries(this.db)
    const due = upcoming.filter(({ at }) => at <= now).map(({ endpointId }) => endpointId)
    if (now >= this.#notifier.pausedUntil) this.#notifier.notify(life.identity.tenantId, due, now)
    for (const { endpointId, at } of upcoming) this.wake.by(this.#notifier.wakeAt(endpointId, at))
  }

  /** SQL first; what goes to queues and directory is started and not awaited; last, the alarm is set afresh. */
  async alarm(): Promise<void> {
    this.wake.fired()
    let earliest = 0
    try {
      if (this.#life) this.#sweep(this.#life, Date.now())
    } catch (error) {
      log('ledger.alarm_failed', { error: errorName(error) })
      earliest = Date.now() + FAULT_PAUSE_MS
    }
    await this.wake.only(this.#nextWake(Date.now()), earliest)
  }

  #sweep(life: Life, now: number): void {
    this.#transact(life, now, (ctx) => {
      sweepLeases(ctx)
      sweepDeadlines(ctx)
      this.#keepMarks()
    })
    void this.#dispatcher.sweep(now)
    this.#tick()
  }

  /** Marks that are still there when the alarm fires may outlive the memory; with none to keep, nothing is written. */
  #keepMarks(): void {
    const marks = this.#dispatcher.state()
    const kept = readMeta(this.db, 'marks') ?? {}
    if (Object.keys(marks).length + Object.keys(kept).length > 0) writeMeta(this.db, 'marks', marks)
  }

  /** The earliest moment at which anything is due, read afresh; null when nothing is open. */
  #nextWake(now: number): number | null {
    const life = this.#life
    if (!life) return null
    const waiting = life.open > countOpen(this.db, 'running')
    const times = [
      nextLeaseEnd(this.db),
      nextRetry(this.db, now),
      this.wake.nextDeadline(now, () => nextDeadline(this.db)),
      this.#dispatcher.nextSweepAt(),
      waiting ? now + this.#settings.sweepMs : null,
      waiting ? life.limits.startsAgainAt(now) : null,
      this.#carrier.nextAt(now),
      ...nextDeliveries(this.db).map(({ endpointId, at }) => this.#notifier.wakeAt(endpointId, at)),
    ].filter((at) => at !== null)
    return times.length > 0 ? Math.min(...times) : null
  }
}
