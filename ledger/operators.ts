/**
 * Operators have a ledger of their own: their endpoints, and what they are told, work as a tenant's do. It belongs to no tenant, is in
 * no list of them, and its name is known without the directory, so that alerts go out when that is down too.
 */
import { Plan } from '../openapi/plan.ts'
import { withFreshStub } from './call.ts'
import type { Reply } from './replies.ts'
import type { TenantLedger } from './tenant-ledger.ts'
import type { TenantStanding } from './tenant-standing.ts'

/** No customer can take it: see `TenantId`. */
export const OPERATORS = '_operators'
export const OPERATORS_LEDGER = `${OPERATORS}:1:0`

/** Made when it is needed, which is once: a Worker's start has other things to do. */
const standing = (): TenantStanding => ({
  tenantId: OPERATORS,
  shard: 0,
  plan: Plan.parse({}),
  revision: 1,
  status: 'active',
  restoreEpoch: 0,
  held: false,
})

type Stub = DurableObjectStub<TenantLedger>

/** Calls it; it is made when it is first asked for anything. */
export async function callOperators<T>(
  ledgers: DurableObjectNamespace<TenantLedger>,
  call: (ledger: Stub) => Promise<Reply<T>>,
): Promise<Reply<T>> {
  const open = () => ledgers.getByName(OPERATORS_LEDGER)
  const reply = await withFreshStub(open, call)
  if (reply.ok || reply.refusal.code !== 'unavailable') return reply
  await withFreshStub(open, (ledger) => ledger.provision(standing()))
  return withFreshStub(open, call)
}
