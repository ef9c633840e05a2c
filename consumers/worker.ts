/** The consumers Worker: what the queues and the clock call. */
import { openDirectory } from '../ledger/directory/open.ts'
import { dropOldOperatorKeys } from '../ledger/directory/operations.ts'
import { consumeDeadLetters } from './dead-letters-queue.ts'
import { consumeJobs } from './jobs-queue.ts'
import { pokeSilentLedgers } from './poke.ts'
import { pruneDeadLetters } from './prune.ts'
import { settingsOf } from './settings.ts'

export { ProviderGate } from './gate/provider-gate.ts'

export default {
  queue: (batch, env) =>
    batch.queue.endsWith('-dlq') ? consumeDeadLetters(batch, env) : consumeJobs(batch, env, settingsOf(env)),
  async scheduled({ scheduledTime }, env) {
    await pokeSilentLedgers(env, scheduledTime)
    await pruneDeadLetters(env, scheduledTime)
    await dropOldOperatorKeys(openDirectory(env.DIRECTORY), scheduledTime)
  },
} satisfies ExportedHandler<ConsumersEnv>
