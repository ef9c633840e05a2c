/**
 * The callback Worker. A message names an endpoint with deliveries due. It is acknowledged at once and drained in the background,
 * so that a hanging receiver holds up no batch; should this invocation die, the ledger notices and sends another message.
 */
import { findLedgerName } from '../ledger/directory/tenants.ts'
import { errorName, log } from '../ledger/log.ts'
import { CallbackMessage, parseMessage } from '../ledger/messages.ts'
import { drain } from './drain.ts'
import { settingsOf } from './settings.ts'

const RETRY_CAP_SECONDS = 300

async function drainNamed({ tenant_id, endpoint_id }: CallbackMessage, env: CallbacksEnv): Promise<void> {
  const name = await findLedgerName(env.DIRECTORY, tenant_id, Date.now())
  if (name === null) return
  const parts = { fetch: (...args: Parameters<typeof fetch>) => fetch(...args), now: Date.now }
  await drain(tenant_id, endpoint_id, () => env.LEDGERS.getByName(name), settingsOf(env), parts)
}

function consume(raw: Message, env: CallbacksEnv, ctx: ExecutionContext): void {
  const parsed = parseMessage(CallbackMessage, raw.body)
  // An unreadable message goes the way of retries to the dead-letter queue, whose consumer records it.
  if (parsed.kind === 'poison') raw.retry({ delaySeconds: Math.min(RETRY_CAP_SECONDS, 2 ** raw.attempts) })
  else raw.ack()
  if (parsed.kind !== 'message') return
  const { tenant_id, endpoint_id } = parsed.message
  ctx.waitUntil(
    drainNamed(parsed.message, env).catch((error: unknown) =>
      log('webhook.drain_failed', { tenant_id, endpoint_id, error: errorName(error) }),
    ),
  )
}

export default {
  async queue(batch, env, ctx) {
    for (const raw of batch.messages) consume(raw, env, ctx)
  },
} satisfies ExportedHandler<CallbacksEnv>
