/** What every verb of the ledger works with: one transaction's database, the moment, and who the ledger is. */
import type { Plan } from '../openapi/ops.ts'
import type { RandomBytes } from './ids.ts'
import type { LedgerSettings } from './settings.ts'
import type { Db } from './store.ts'

export interface Identity {
  readonly tenantId: string
  readonly shard: number
}

export interface LedgerContext {
  readonly db: Db
  readonly now: number
  readonly random: () => number
  readonly randomBytes: RandomBytes
  readonly identity: Identity
  readonly plan: Plan
  readonly settings: LedgerSettings
  /** The object's storage is so far used up that new work is refused. */
  readonly full: boolean
  /** What the transaction did, for the counts that the ledger keeps in memory; applied once it has committed. */
  readonly tally: { opened: number; ended: number }
}
