/** What every verb of the ledger works with: one transaction's database, the moment, and who the ledger is. */
import type { Plan } from '../openapi/plan.ts'
import type { Month, Reservations } from './budget.ts'
import type { RandomBytes } from './ids.ts'
import type { OpenJob } from './open-jobs.ts'
import type { Orders } from './orders.ts'
import type { LedgerSettings } from './settings.ts'
import type { Db } from './store.ts'
import type { TenantStanding } from './tenant-standing.ts'
import type { UsageDay } from './usage-days.ts'
import type { WebhookAttempt } from './webhook-figures.ts'

export type Identity = Pick<TenantStanding, 'tenantId' | 'shard'>

export interface LedgerContext {
  readonly db: Db
  readonly now: number
  readonly random: () => number
  readonly randomBytes: RandomBytes
  readonly identity: Identity
  readonly plan: Plan
  readonly standing: TenantStanding
  /** Of operators, as far as they concern the tenant and are known. */
  readonly orders: Orders
  readonly settings: LedgerSettings
  /** The object's storage is so far used up that new work is refused. */
  readonly full: boolean
  /** Unfinished jobs of the tenant, as of before this transaction. */
  readonly openJobs: number
  /** What is set aside of the budget, as of before this transaction. */
  readonly reserved: ReadonlyMap<Month, number>
  /** What the transaction did: applied to the counts in memory once it has committed, and written with it where it is to stay. */
  readonly tally: Tally
}

export interface Tally {
  readonly opened: OpenJob[]
  readonly ended: OpenJob[]
  readonly reserved: Reservations
  readonly usage: Map<string, UsageDay>
  /** Batches whose Workflows are to look again, once the transaction has committed. */
  readonly woken: Set<string>
  /** At webhooks' receivers. */
  readonly attempts: WebhookAttempt[]
}

export const newTally = (): Tally => ({
  opened: [],
  ended: [],
  reserved: new Map(),
  usage: new Map(),
  woken: new Set(),
  attempts: [],
})
