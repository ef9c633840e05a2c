/** Which ledger belongs to a tenant. Looked up in the directory, kept for half a minute in each isolate. */
import { OPERATORS, OPERATORS_LEDGER } from '../operators.ts'
import { isLiving } from './living.ts'
import { openDirectory } from './open.ts'
import { tenants } from './schema.ts'

const KEPT_MS = 30_000
const KEPT_TENANTS = 10_000

interface Kept {
  readonly name: string
  readonly until: number
}

/** Per isolate: values only, never promises, since a promise of one request must not be awaited by another. */
const kept = new Map<string, Kept>()

/** The name of a ledger: tenant, generation, shard. */
export const ledgerName = (tenantId: string, generation: number, shard = 0) =>
  `${tenantId}:${generation}:${shard}`

/** What the name of a ledger says. */
export function partsOf(ledger: string) {
  const [tenantId = '', generation = '', shard = ''] = ledger.split(':')
  return { tenantId, generation: Number(generation), shard: Number(shard) }
}

export const tenantOf = (ledger: string) => partsOf(ledger).tenantId

/** The ledger has ended: another may have taken its place. */
export const forgetLedgerName = (tenantId: string) => kept.delete(tenantId)

/** The name of a provisioned tenant's ledger, or of the operators'; null for a tenant that the directory does not know, or that is being deleted. */
export async function findLedgerName(
  database: D1Database,
  tenantId: string,
  now: number,
): Promise<string | null> {
  if (tenantId === OPERATORS) return OPERATORS_LEDGER
  const known = kept.get(tenantId)
  if (known && now < known.until) return known.name

  const row = await openDirectory(database)
    .select({ generation: tenants.generation })
    .from(tenants)
    .where(isLiving(tenantId))
    .get()
  if (!row) return null
  const name = ledgerName(tenantId, row.generation)
  if (kept.size >= KEPT_TENANTS) kept.clear()
  kept.set(tenantId, { name, until: now + KEPT_MS })
  return name
}
