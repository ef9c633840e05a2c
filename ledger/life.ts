/** A ledger's life: what it knows of itself, in memory, as long as it is provisioned. It is made again from the tables at each start. */
import { applyReservations, type Reservations, readReservations } from './budget.ts'
import type { Identity, LedgerContext } from './context.ts'
import { Limits } from './limits.ts'
import { readMeta } from './meta.ts'
import { type OpenJobs, readOpenJobs } from './open-jobs.ts'
import { noOrders, type Orders } from './orders.ts'
import type { Db } from './store.ts'
import type { TenantStanding } from './tenant-standing.ts'
import { WebhookCounts } from './webhook-figures.ts'

export interface Life {
  readonly identity: Identity
  readonly limits: Limits
  /** As the directory last told it. */
  standing: TenantStanding
  /** As far as they concern the tenant, as last heard. */
  orders: Orders
  /** Unfinished jobs. */
  readonly open: OpenJobs
  readonly webhooks: WebhookCounts
  /** What their next attempts have set aside of the budget. */
  readonly reserved: Reservations
}

/** `memory`: whether the ledger is new, or has forgotten what its limits had given. */
export function lifeOf(db: Db, standing: TenantStanding, memory: 'fresh' | 'unknown'): Life {
  const { tenantId, shard, plan } = standing
  return {
    identity: { tenantId, shard },
    limits: new Limits(db, plan, Date.now(), memory),
    standing,
    orders: readMeta(db, 'orders') ?? noOrders,
    open: readOpenJobs(db),
    webhooks: new WebhookCounts(db),
    reserved: readReservations(db),
  }
}

/** What memory takes over from a transaction that has committed. */
export function takeOver(life: Life, { tally, now }: LedgerContext): void {
  const { opened, ended, reserved, attempts } = tally
  for (const job of opened) life.open.add(job, 1)
  for (const job of ended) life.open.add(job, -1)
  applyReservations(life.reserved, reserved)
  life.webhooks.count(attempts, now)
}
