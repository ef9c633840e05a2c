/** Where calls come in: admission, then the verb in one transaction, then the counts that live in memory. */
import { type LedgerContext, newTally, type Tally } from './context.ts'
import { randomBytes } from './ids.ts'
import { type Life, lifeOf, takeOver } from './life.ts'
import { tooFast } from './limits.ts'
import { readMeta, writeMeta } from './meta.ts'
import { agree, concerning, type Orders } from './orders.ts'
import { type Outcome, type Rate, type Reply, refused } from './replies.ts'
import { beginEpoch } from './restoring.ts'
import { Room } from './room.ts'
import type { LedgerSettings } from './settings.ts'
import type { Costs, Db } from './store.ts'
import { subscriptionsChanged } from './subscriptions.ts'
import { isServed, maySend, type TenantStanding } from './tenant-standing.ts'
import { keepUsage } from './usage-days.ts'

const noRate: Rate = { limit: 0, remaining: 0, resetSeconds: 60 }
/** From a ledger that is not provisioned. */
export const notReady = refused('unavailable', 'The tenant is not ready yet.', { retryAfterSeconds: 5 })
/** From one whose tenant is being deleted: tokens that an isolate still takes are good for nothing. */
const gone = refused('unauthenticated', 'The tenant is being deleted.')
const suspended = refused('tenant-suspended', 'The tenant is suspended.')

export interface DeskParts {
  readonly storage: DurableObjectStorage
  readonly db: Db
  readonly costs: Costs
  readonly settings: LedgerSettings
  /** A tenant has asked something, whether it is answered or refused. */
  readonly asked: (now: number) => void
  /** A transaction has written something; this is what it came to. */
  readonly written: (tally: Tally) => void
}

export class Desk {
  readonly #parts: DeskParts
  readonly #room: Room
  /** Null until the ledger is provisioned. */
  life: Life | null = null
  /** Why there is none. */
  #absent: typeof notReady = notReady
  /** No request is taken before. */
  #closedUntil = 0

  constructor(parts: DeskParts) {
    this.#parts = parts
    this.#room = new Room(() => parts.storage.sql.databaseSize)
  }

  /** What is found at this moment stays true until then. */
  close(until: number): void {
    this.#closedUntil = until
  }

  /** For good. */
  end(): void {
    this.life?.webhooks.keep()
    this.life = null
    this.#absent = gone
  }

  get isProvisioned(): boolean {
    return (
      this.#parts.storage.sql.exec("select 1 from sqlite_master where name = 'meta'").toArray().length > 0
    )
  }

  /** Makes the memory of a provisioned ledger again. */
  load(): void {
    this.life = this.recall()
  }

  /** What the tables tell of its life, whether it goes on or is over. */
  recall(): Life | null {
    const standing = readMeta(this.#parts.db, 'standing')
    return standing && lifeOf(this.#parts.db, standing, 'unknown')
  }

  /** An older revision than is known changes nothing. */
  provision(standing: TenantStanding): void {
    const known = this.life?.standing.revision ?? 0
    if (standing.revision < known) return
    if (standing.revision > known) this.#keep(standing)
    if (!this.life) this.life = lifeOf(this.#parts.db, standing, 'fresh')
    this.life.standing = standing
    this.life.limits.plan = standing.plan
  }

  /** Whoever hears of an epoch that it does not know has been put back to a point in time. */
  #keep(standing: TenantStanding): void {
    const { life } = this
    const keep = () => writeMeta(this.#parts.db, 'standing', standing)
    if (!life || standing.restoreEpoch <= life.standing.restoreEpoch) {
      keep()
      return
    }
    const before = life.standing
    life.standing = standing
    try {
      this.transact(life, Date.now(), (ctx) => {
        keep()
        beginEpoch(ctx)
      })
    } catch (error) {
      life.standing = before
      throw error
    }
  }

  /** Whether they say anything new: what is older than what is known is passed over. */
  hear(told: Orders): boolean {
    const { life } = this
    if (!life || told.revision <= life.orders.revision) return false
    const orders = concerning(told, life.identity.tenantId)
    const isNew = !agree(orders, life.orders)
    if (isNew) writeMeta(this.#parts.db, 'orders', orders)
    life.orders = orders
    return isNew
  }

  /** Whether anything may leave the ledger now. */
  get sends(): boolean {
    return this.life !== null && maySend(this.life.standing)
  }

  /** A tenant's request: refused when unprovisioned, not served or, unless `counted` before, over the rate; else the verb. */
  admit<T>(verb: (ctx: LedgerContext) => Outcome<T>, counted = false): Reply<T> {
    this.#parts.costs.calls++
    const { life } = this
    if (!life || Date.now() < this.#closedUntil) return { ...this.#absent, rate: noRate }
    const now = Date.now()
    this.#parts.asked(now)
    if (!isServed(life.standing)) return { ...suspended, rate: noRate }
    const { granted, rate } = life.limits.takeRequest(now, counted ? 0 : 1)
    return granted ? { ...this.transact(life, now, verb), rate } : { ...tooFast(rate), rate }
  }

  /** Work of our own Workers: no rate, and `otherwise` from a ledger that is not provisioned. */
  work<T>(otherwise: T, verb: (ctx: LedgerContext) => T): T {
    this.#parts.costs.calls++
    return this.life ? this.transact(this.life, Date.now(), verb) : otherwise
  }

  /** An operator's act on each of these: no rate; refused when unprovisioned or not served. */
  operate<R, T>(requests: R[], verb: (ctx: LedgerContext, request: R) => Outcome<T>): Outcome<T>[] {
    this.#parts.costs.calls++
    const { life } = this
    if (!life || !isServed(life.standing)) return requests.map(() => (life ? suspended : this.#absent))
    return this.transact(life, Date.now(), (ctx) => requests.map((request) => verb(ctx, request)))
  }

  transact<T>(life: Life, now: number, verb: (ctx: LedgerContext) => T): T {
    const ctx = this.#contextAt(life, now)
    const rowsBefore = this.#parts.costs.rowsWritten
    const result = this.#undoingMemory(() =>
      this.#parts.storage.transactionSync(() => {
        const value = verb(ctx)
        keepUsage(this.#parts.db, ctx.tally.usage)
        life.limits.keep()
        return value
      }),
    )
    takeOver(life, ctx)
    if (this.#parts.costs.rowsWritten > rowsBefore) this.#parts.written(ctx.tally)
    return result
  }

  /** What memory took from a transaction that is rolled back is read again. */
  #undoingMemory<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      subscriptionsChanged(this.#parts.db)
      throw error
    }
  }

  #contextAt({ identity, limits, standing, orders, reserved, open }: Life, now: number): LedgerContext {
    const [db, settings, full] = [this.#parts.db, this.#parts.settings, this.#room.isFull(now)]
    return {
      db,
      now,
      random: Math.random,
      randomBytes,
      identity,
      plan: limits.plan,
      standing,
      orders,
      settings,
      full,
      openJobs: open.total,
      reserved,
      tally: newTally(),
    }
  }
}
