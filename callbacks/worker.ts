/**
 * The callback Worker. A message names an endpoint with deliveries due. It is acknowledged at once and drained in the background,
 * so that a hanging receiver holds up no batch; should this invocation die, the ledger notices and sends another message.
 */
import { findLedgerName } from '../ledger/directory/tenants.ts'
import { randomBytes } from '../ledger/ids.ts'
import { errorName, log } from '../ledger/log.ts'
import { CallbackMessage } from '../ledger/messages.ts'
import { sortMessages } from '../ledger/queue.ts'
import { outside } from '../ledger/webhooks/outside.ts'
import { Drain, type DrainParts } from './drain.ts'
import { settingsOf } from './settings.ts'

async function drainNamed({ tenant_id, endpoint_id }: CallbackMessage, env: CallbacksEnv): Promise<void> {
  const name = await findLedgerName(env.DIRECTORY, tenant_id, Date.now())
  if (name === null) return
  const parts: DrainParts = {
    ...settingsOf(env),
    ...outside,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    randomBytes,
  }
  await new Drain(tenant_id, endpoint_id, () => env.LEDGERS.getByName(name), parts).run()
}

function drainLater(message: CallbackMessage, env: CallbacksEnv, ctx: ExecutionContext): void {
  const { tenant_id, endpoint_id } = message
  ctx.waitUntil(
    drainNamed(message, env).catch((error: unknown) =>
      log('webhook.drain_failed', { tenant_id, endpoint_id, error: errorName(error) }),
    ),
  )
}

export default {
  async queue(batch, env, ctx) {
    for (const { raw, message } of await sortMessages(batch, CallbackMessage, env)) {
      raw.ack()
      drainLater(message, env, ctx)
    }
  },
} satisfies ExportedHandler<CallbacksEnv>
