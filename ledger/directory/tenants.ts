/** Which ledger belongs to a tenant. Looked up in the directory, kept for half a minute in each isolate. */
import { eq } from 'drizzle-orm'
import { OPERATORS, OPERATORS_LEDGER } from '../operators.ts'
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

export const tenantOf = (ledger: string) => ledger.slice(0, ledger.indexOf(':'))

/** Tenant and generation of a ledger of this name. */
export function ownerOf(ledger: string): [string, number] {
  const [tenantId = '', generation] = ledger.split(':')
  return [tenantId, Number(generation)]
}

/** The name of a provisioned tenant's ledger, or of the operators'; null for a tenant that the directory does not know. */
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
    .where(eq(tenants.id, tenantId))
    .get()
  if (!row) return null
  const name = ledgerName(tenantId, row.generation)
  if (kept.size >= KEPT_TENANTS) kept.clear()
  kept.set(tenantId, { name, until: now + KEPT_MS })
  return name
}
