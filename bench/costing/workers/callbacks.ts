/** The callback Worker, counted. */
import './clock.ts'
import callbacks from '../../../callbacks/worker.ts'
import { controlled } from './control.ts'
import { meterDatabase, meterLog, meterNamespace } from './meters.ts'
import { counted } from './queues.ts'

meterLog()

export default {
  fetch: (request) => controlled(request) ?? new Response(null, { status: 404 }),
  queue(batch, env, ctx) {
    meterNamespace(env.LEDGERS, 'ledger')
    meterDatabase(env.DIRECTORY)
    return counted(batch, (same) => callbacks.queue(same, env, ctx))
  },
} satisfies ExportedHandler<CallbacksEnv>
