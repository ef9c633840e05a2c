/** The Durable Object itself: how a ledger begins, wakes and is looked at. What it is asked are the methods of its subclasses. */
import { DurableObject } from 'cloudflare:workers'
import { migrate } from 'drizzle-orm/durable-sqlite/migrator'
import migrations from '../migrations/ledger/migrations.js'
import { errorName, log } from './log.ts'
import type { Orders } from './orders.ts'
import { done, type Outcome, refused } from './replies.ts'
import { LedgerRuntime } from './runtime.ts'
import type { Costs } from './store.ts'
import type { TenantStanding } from './tenant-standing.ts'

const noHistory = refused(
  'unavailable',
  "There is no history to restore from: the platform keeps 30 days of it, the local run's keeps none.",
  { retryAfterSeconds: 3600 },
)

export abstract class LedgerObject extends DurableObject<GatewayEnv> {
  protected readonly runtime: LedgerRuntime

  constructor(ctx: DurableObjectState, env: GatewayEnv) {
    super(ctx, env)
    this.runtime = new LedgerRuntime(ctx, env)
    void ctx.blockConcurrencyWhile(async () => {
      if (this.runtime.desk.isProvisioned) await migrate(this.runtime.db, migrations)
      await this.runtime.load()
    })
  }

  /**
   * Creates the ledger's tables, and tells it how its tenant stands; one that exists learns of changes in the same way. That its tenant is
   * being deleted is the last that it hears of: nothing brings it back, nor one that has been deleted.
   */
  async provision(standing: TenantStanding): Promise<void> {
    if (standing.status === 'deleting') return this.runtime.end()
    if (!(await this.runtime.ending.mayLive())) return
    await migrate(this.runtime.db, migrations)
    this.runtime.provision(standing)
  }

  /** The bookmark that the ledger had then, in milliseconds since the epoch; refused where its history is not kept. */
  async bookmarkAt(at: number): Promise<Outcome<string>> {
    try {
      return done(await this.ctx.storage.getBookmarkForTime(at))
    } catch (error) {
      log('ledger.no_bookmark', { error: errorName(error) })
      return noHistory
    }
  }

  /** Ends this life of the object, so that the call fails; the next one begins on what was on record at the bookmark. */
  async restoreTo(bookmark: string): Promise<void> {
    await this.ctx.storage.onNextSessionRestoreBookmark(bookmark)
    this.ctx.abort('The ledger is put back to a point in time.')
  }

  /** Names this life of the object. */
  life(): string {
    return this.runtime.life
  }

  /** What operators have decided; a ledger that is not provisioned has nothing to do with it. */
  hear(orders: Orders): void {
    this.runtime.hear(orders)
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
