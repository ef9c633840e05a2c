/** The operators' ledger as their routes see it. */
import type { Context } from 'hono'
import { isPassing, type LedgerStub } from '../ledger/call.ts'
import { openDirectory } from '../ledger/directory/open.ts'
import { recordAct } from '../ledger/directory/operations.ts'
import { callOperators } from '../ledger/operators.ts'
import type { Reply } from '../ledger/replies.ts'
import { outOfReach } from './ledgers.ts'
import { onceInSteps } from './once.ts'
import { Problem } from './problem.ts'
import type { GatewayContext } from './router.ts'

export async function askOperators<T>(
  { env }: Context<GatewayContext>,
  call: (ledger: LedgerStub) => Promise<Reply<T>>,
): Promise<T> {
  const reply = await callOperators(env.LEDGERS, call).catch((error: unknown) => {
    throw isPassing(error) ? Problem.unavailable(error) : error
  })
  if (!reply.ok) throw Problem.fromRefusal(reply.refusal)
  return reply.value
}

/** What is kept to be answered again: a secret is shown once. */
const withoutSecret = <T extends object>(answer: T) =>
  'secret' in answer ? { ...answer, secret: null } : answer

interface Order {
  /** Such as `alert_endpoint.test`. */
  readonly action: string
  readonly target: string
  readonly reason: string
}

/**
 * An operator's change in their ledger, once under its key. `prepare` may refuse; then comes the line in the audit log, so that nothing
 * is done without one.
 */
export const actOnce = <P, T extends object>(
  c: Context<GatewayContext>,
  { action, target, reason }: Order,
  prepare: () => Promise<P>,
  work: (prepared: P) => Promise<T>,
): Promise<T> =>
  onceInSteps<T>(
    c,
    async () => {
      const prepared = await prepare()
      const act = { operator: c.var.principal.clientId, reason, at: Date.now() }
      await recordAct(openDirectory(c.env.DIRECTORY), action, target, act).catch(outOfReach)
      return work(prepared)
    },
    withoutSecret,
  )
