/** Whether whoever a token names may come in: one question to the directory for tenant and client, its answer kept for half a minute. */
import { eq } from 'drizzle-orm'
import { BoundedCache } from '../bounded-cache.ts'
import { isLiving } from './living.ts'
import { type Directory, openDirectory } from './open.ts'
import { clients, tenants } from './schema.ts'
import { ledgerName } from './tenants.ts'

/** How long a client that was disabled may still come in, in an isolate that knows it. */
const KEPT_MS = 30_000
const KEPT_CALLERS = 10_000

export interface Caller {
  readonly tenantId: string | null
  readonly clientId: string
}

export interface Admission {
  /** Of the tenant; null for operators. */
  readonly ledger: string | null
}

/** Per isolate; null for those that are refused, who will come again. */
const kept = new BoundedCache<Admission | null>(KEPT_CALLERS)

/**
 * Null for a tenant that the directory does not know or that is being deleted, and for a client that is disabled or another's. A client that it does not know may
 * come in: the token's issuer, which names it, is trusted.
 */
export async function admit(database: D1Database, caller: Caller, now: number): Promise<Admission | null> {
  const key = `${caller.tenantId ?? ''} ${caller.clientId}`
  const known = kept.get(key, now)
  if (known !== undefined) return known

  const directory = openDirectory(database)
  const admission =
    caller.tenantId === null
      ? await admitOperator(directory, caller.clientId)
      : await admitTenant(directory, caller.tenantId, caller.clientId)
  if (admission === undefined) return null
  kept.put(key, admission, now + KEPT_MS)
  return admission
}

const standing = { id: clients.id, owner: clients.tenantId, disabledAt: clients.disabledAt }

/** Undefined for a tenant that is not there; it may be in a moment. */
async function admitTenant(directory: Directory, tenantId: string, clientId: string) {
  const row = await directory
    .select({ generation: tenants.generation, ...standing })
    .from(tenants)
    .leftJoin(clients, eq(clients.id, clientId))
    .where(isLiving(tenantId))
    .get()
  if (!row) return undefined
  return isRefused(row, tenantId) ? null : { ledger: ledgerName(tenantId, row.generation) }
}

async function admitOperator(directory: Directory, clientId: string) {
  const row = await directory.select(standing).from(clients).where(eq(clients.id, clientId)).get()
  return row && isRefused(row, null) ? null : { ledger: null }
}

interface Standing {
  readonly id: string | null
  readonly owner: string | null
  readonly disabledAt: number | null
}

const isRefused = ({ id, owner, disabledAt }: Standing, tenantId: string | null) =>
  id !== null && (disabledAt !== null || owner !== tenantId)
