/**
 * The minute's cron: ledgers of tenants that are being deleted are told so again. One that goes on by itself is not disturbed; one whose
 * alarm is lost, that was never told, or that is gone already while its tombstone still stands, goes on with it, or does it once more.
 */
import { deletingTenants } from '../ledger/directory/deletion.ts'
import { openDirectory } from '../ledger/directory/open.ts'
import type { TenantRow } from '../ledger/directory/operations.ts'
import { standingFrom } from '../ledger/directory/tenant-changes.ts'
import { ledgerName } from '../ledger/directory/tenants.ts'
import { errorName, log } from '../ledger/log.ts'
import { fewAtOnce } from './few-at-once.ts'

const PAGE = 100

export async function followDeletions({ DIRECTORY, LEDGERS }: ConsumersEnv): Promise<void> {
  const deleting = await deletingTenants(openDirectory(DIRECTORY), PAGE)
  await fewAtOnce(deleting, (tenant) => tell(LEDGERS, tenant))
}

/** One ledger that fails must not hold up the others. */
async function tell(ledgers: ConsumersEnv['LEDGERS'], tenant: TenantRow): Promise<void> {
  try {
    await ledgers.getByName(ledgerName(tenant.id, tenant.generation)).provision(standingFrom(tenant))
  } catch (error) {
    log('tenant.deletion_not_told', { tenant_id: tenant.id, error: errorName(error) })
  }
}
