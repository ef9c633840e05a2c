/** A tenant's ledger as the routes see it: refusals and passing faults become problems here. */
import type { Context } from 'hono'
import { isPassing, type LedgerStub, withFreshStub } from '../ledger/call.ts'
import type { Reply } from '../ledger/replies.ts'
import { Problem } from './problem.ts'
import type { GatewayContext } from './router.ts'

type Call<T> = (ledger: LedgerStub) => Promise<Reply<T>>
export type LedgerCall = <T>(call: Call<T>) => Promise<T>

/** Calls a ledger by name; the platform's faults become `unavailable`, those of our own code stay what they are. */
export async function callLedger<T>(
  env: GatewayEnv,
  name: string,
  call: (ledger: LedgerStub) => Promise<T>,
): Promise<T> {
  try {
    return await withFreshStub(() => env.LEDGERS.getByName(name), call)
  } catch (error) {
    if (!isPassing(error)) throw error
    throw Problem.unavailable(error)
  }
}

export const outOfReach = (cause: unknown): never => {
  throw Problem.unavailable(cause)
}

/** The ledger of this name, for a tenant's routes. */
export function ledgerCalls(c: Context<GatewayContext>, name: string): LedgerCall {
  return async <T>(call: Call<T>): Promise<T> => {
    const reply = await callLedger(c.env, name, call)
    c.set('rate', reply.rate)
    if (!reply.ok) throw Problem.fromRefusal(reply.refusal)
    return reply.value
  }
}
