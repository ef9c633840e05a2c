/** The consumers Worker: what the queues call. */
import { consumeDeadLetters } from './dead-letters-queue.ts'
import { consumeJobs } from './jobs-queue.ts'
import { settingsOf } from './settings.ts'

export default {
  queue: (batch, env) =>
    batch.queue.endsWith('-dlq') ? consumeDeadLetters(batch, env) : consumeJobs(batch, env, settingsOf(env)),
} satisfies ExportedHandler<ConsumersEnv>
