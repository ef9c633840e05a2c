/** The consumers Worker: what the queues and the clock call. */
import { consumeDeadLetters } from './dead-letters-queue.ts'
import { consumeJobs } from './jobs-queue.ts'
import { pokeSilentLedgers } from './poke.ts'
import { pruneDeadLetters } from './prune.ts'
import { settingsOf } from './settings.ts'

export { ProviderGate } from './gate/provider-gate.ts'

export default {
  queue: (batch, env) =>
    batch.queue.endsWith('-dlq') ? consumeDeadLetters(batch, env) : consumeJobs(batch, env, settingsOf(env)),
  scheduled: async (controller, env) => {
    await pokeSilentLedgers(env, controller.scheduledTime)
    await pruneDeadLetters(env, controller.scheduledTime)
  },
} satisfies ExportedHandler<ConsumersEnv>
