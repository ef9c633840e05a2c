/** The Durable Object itself: how a ledger begins, wakes and is looked at. What it is asked are the methods of its subclasses. */
import { DurableObject } from 'cloudflare:workers'
import { migrate } from 'drizzle-orm/durable-sqlite/migrator'
import migrations from '../migrations/ledger/migrations.js'
import { LedgerRuntime } from './runtime.ts'
import type { Costs } from './store.ts'
import type { TenantStanding } from './tenant-standing.ts'

export abstract class LedgerObject extends DurableObject<GatewayEnv> {
  protected readonly runtime: LedgerRuntime

  constructor(ctx: DurableObjectState, env: GatewayEnv) {
    super(ctx, env)
    this.runtime = new LedgerRuntime(ctx, env)
    void ctx.blockConcurrencyWhile(async () => {
      if (!this.runtime.desk.isProvisioned) return
      await migrate(this.runtime.db, migrations)
      await this.runtime.load()
    })
  }

  /** Creates the ledger's tables, and tells it how its tenant stands; one that exists learns of changes in the same way. */
  async provision(standing: TenantStanding): Promise<void> {
    await migrate(this.runtime.db, migrations)
    this.runtime.provision(standing)
  }

  /** The clock's reminder that work is open. */
  poke(): void {
    this.runtime.touch()
  }

  /** Calls and rows written since the object was started. */
  costs(): Costs {
    return this.runtime.costs
  }

  override async alarm(): Promise<void> {
    await this.runtime.alarm()
  }
}
