/** A tenant's POST of many steps under an Idempotency-Key: the tenant's ledger holds the key while it runs, and keeps the answer. */
import type { Context } from 'hono'
import type { LedgerStub } from '../ledger/call.ts'
import type { Begun } from '../ledger/held-keys.ts'
import type { Call } from '../ledger/idempotency.ts'
import type { Reply } from '../ledger/replies.ts'
import { requestKey } from './idempotency.ts'
import type { GatewayContext } from './router.ts'

/** `begin` is the ledger's verb that takes the key; `work` is done with what it answers, and its result is what a repetition gets. */
export async function onceInSteps<B, T>(
  c: Context<GatewayContext>,
  begin: (ledger: LedgerStub, call: Call) => Promise<Reply<Begun<B>>>,
  work: (begun: B) => Promise<T>,
): Promise<T> {
  const call = { id: crypto.randomUUID(), key: await requestKey(c) }
  const started = await c.var.ledger((ledger) => begin(ledger, call))
  if ('answer' in started) {
    c.header('Idempotency-Replayed', 'true')
    return JSON.parse(started.answer) as T
  }
  try {
    const result = await work(started.begun)
    if (call.key) await c.var.ledger((ledger) => ledger.finishCall(call, JSON.stringify(result)))
    return result
  } catch (error) {
    // Should this fail too, the key is free again when its lease has ended.
    if (call.key) await c.var.ledger((ledger) => ledger.abandonCall(call)).catch(() => null)
    throw error
  }
}
