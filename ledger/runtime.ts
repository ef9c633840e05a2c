/**
 * A ledger at work: how it begins and ends, what it hears, and what follows from what its calls have written. The verbs are pure SQL; the
 * parts that know queues, directory and alarm are tied together here. What they keep in memory can be lost at any moment and is made
 * again from the tables.
 */
import { workedBatches } from './batches/rows.ts'
import type { Tally } from './context.ts'
import type { Desk } from './desk.ts'
import type { Told } from './directory/orders.ts'
import type { Ending } from './ending.ts'
import type { Orders } from './orders.ts'
import type { Outgoing } from './outgoing.ts'
import { type LedgerParts, ledgerParts } from './parts.ts'
import type { Releaser } from './releaser.ts'
import { Rounds } from './rounds.ts'
import type { Costs, Db } from './store.ts'
import type { TenantStanding } from './tenant-standing.ts'
import type { Waiters } from './waiters.ts'
import type { Wake } from './wake.ts'

export class LedgerRuntime {
  /** Names this life of the object. */
  readonly life = crypto.randomUUID()
  readonly db: Db
  readonly costs: Costs
  readonly wake: Wake
  readonly desk: Desk
  readonly outgoing: Outgoing
  readonly waiters: Waiters
  readonly releaser: Releaser
  readonly ending: Ending
  readonly #parts: LedgerParts
  readonly #rounds: Rounds

  constructor(ctx: DurableObjectState, env: GatewayEnv) {
    const parts = ledgerParts(ctx, env, {
      touch: () => this.touch(),
      take: (told) => this.#take(told),
      written: (tally) => this.#written(tally),
    })
    this.db = parts.db
    this.costs = parts.costs
    this.wake = parts.wake
    this.desk = parts.desk
    this.outgoing = parts.outgoing
    this.waiters = parts.waiters
    this.releaser = parts.releaser
    this.ending = parts.ending
    this.#parts = parts
    this.#rounds = new Rounds(parts)
  }

  /** Makes the memory of a provisioned ledger again, and the alarm if work is open and none is set. */
  async load(): Promise<void> {
    if (!this.ending.hasBegun && !this.desk.isProvisioned) return
    await this.wake.load()
    if (this.ending.hasBegun) return this.end()
    const now = Date.now()
    this.desk.load()
    this.#parts.reporter.load()
    this.releaser.load(now)
    this.#rounds.resume(now)
  }

  provision(standing: TenantStanding): void {
    this.#parts.listener.heardStanding()
    const sentBefore = this.desk.sends
    this.desk.provision(standing)
    if (this.desk.sends && !sentBefore) this.#wakeBatches()
    this.touch()
  }

  /** From now on the ledger is as if it had never been. Safe to repeat. */
  end(): void {
    const now = Date.now()
    this.ending.begin(now)
    this.desk.end()
    this.waiters.dismiss()
    this.wake.by(this.ending.nextAt(now) ?? now)
  }

  /** Resolves when the ledger may let something out, as far as it is up to it to know how its tenant stands. */
  async informed(): Promise<void> {
    if (this.desk.life) await this.#parts.listener.hearStanding(Date.now())
  }

  /** Orders that were read a moment ago; what they let go on goes on at once. */
  hear(orders: Orders): void {
    this.#parts.listener.heardOrders()
    if (!this.desk.hear(orders)) return
    this.#wakeBatches()
    this.touch()
  }

  /** What the directory says of this ledger's tenant and of all. */
  #take({ orders, standing }: Told): void {
    this.hear(orders)
    if (standing && standing.revision > (this.desk.life?.standing.revision ?? 0)) this.provision(standing)
    this.#parts.listener.heardStanding()
  }

  /** Their Workflows look again, since other work may start now. */
  #wakeBatches(): void {
    const { life } = this.desk
    if (!life) return
    const worked = workedBatches(this.db).map(({ id }) => id)
    this.#parts.waker.wake(life.identity.tenantId, worked)
  }

  #written({ opened, usage, woken, attempts }: Tally): void {
    const { waker, reporter } = this.#parts
    const { life } = this.desk
    if (life) waker.wake(life.identity.tenantId, woken)
    if (opened.length + usage.size + woken.size + attempts.length > 0) reporter.changed()
    this.touch()
  }

  /** The drain of this endpoint is over. */
  drained(endpointId: string): void {
    this.#parts.notifier.ended(endpointId)
    this.touch()
  }

  /** Something may have changed that lets work go on. */
  touch(): void {
    this.#rounds.touch()
  }

  async alarm(): Promise<void> {
    await this.#rounds.alarm()
  }
}
