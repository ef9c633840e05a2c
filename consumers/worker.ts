/** The consumers Worker: what the queues and the clock call. */
import { consumeDeadLetters } from './dead-letters-queue.ts'
import { consumeJobs } from './jobs-queue.ts'
import { pokeSilentLedgers } from './poke.ts'
import { settingsOf } from './settings.ts'

export { ProviderGate } from './gate/provider-gate.ts'

export default {
  queue: (batch, env) =>
    batch.queue.endsWith('-dlq') ? consumeDeadLetters(batch, env) : consumeJobs(batch, env, settingsOf(env)),
  scheduled: (controller, env) => pokeSilentLedgers(env, controller.scheduledTime),
} satisfies ExportedHandler<ConsumersEnv>
