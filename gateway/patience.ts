/** Reads that may wait (`Prefer: wait`): the ledger keeps the request until there is something to tell, and is told when its client has gone. */
import type { Context } from 'hono'
import type { LedgerStub } from '../ledger/call.ts'
import type { Patient } from '../ledger/patient-reads.ts'
import type { Reply } from '../ledger/replies.ts'
import type { Patience } from '../ledger/waiters.ts'
import { preferredWait } from './prefer.ts'
import type { GatewayContext } from './router.ts'

type Read<T> = (ledger: LedgerStub, patience: Patience | null) => Promise<Reply<Patient<T>>>

/** What the ledger answers; `Preference-Applied` says when it was as patient as the request prefers. */
export async function readPatiently<T>(c: Context<GatewayContext>, read: Read<T>): Promise<Patient<T>> {
  const seconds = preferredWait(c.req.header('Prefer'))
  if (seconds === null) return c.var.ledger((ledger) => read(ledger, null))
  const patience = { until: Date.now() + seconds * 1000, waiter: crypto.randomUUID() }
  leaveWithClient(c, patience)
  const answer = await c.var.ledger((ledger) => read(ledger, patience))
  if (answer.patient) c.header('Preference-Applied', `wait=${seconds}`)
  return answer
}

/**
 * A call to a ledger goes on when its caller is gone, and would keep its place among those that wait. What is asked of the ledger
 * after the client has gone has to be held up by the request's own context.
 */
function leaveWithClient(c: Context<GatewayContext>, { waiter }: Patience): void {
  c.req.raw.signal.addEventListener('abort', () => {
    const left = c.var.ledger((ledger) => ledger.stopWaiting(waiter))
    c.executionCtx.waitUntil(left.catch(() => undefined))
  })
}
