/** The consumers Worker: what the queues and the clock call. */
import { openDirectory } from '../ledger/directory/open.ts'
import { dropOldOperatorKeys } from '../ledger/directory/operations.ts'
import { dropOldAssertions } from '../ledger/directory/used-assertions.ts'
import { checkAlerts } from './alerts/check.ts'
import { consumeBatches } from './batches/queue.ts'
import { consumeDeadLetters } from './dead-letters-queue.ts'
import { followDeletions } from './deletions.ts'
import { doDuties } from './duties.ts'
import { consumeEvaluations } from './evaluations/queue.ts'
import { tendEvaluations } from './evaluations/tend.ts'
import { consumeJobs } from './jobs-queue.ts'
import { pokeSilentLedgers } from './poke.ts'
import { pruneDeadLetters } from './prune.ts'
import { settingsOf } from './settings.ts'

export { BatchWorkflow } from './batches/workflow.ts'
export { ProviderGate } from './gate/provider-gate.ts'

export default {
  queue(batch, env) {
    if (batch.queue.endsWith('-dlq')) return consumeDeadLetters(batch, env)
    if (batch.queue === 'batches') return consumeBatches(batch, env)
    if (batch.queue === 'evaluations') return consumeEvaluations(batch, env, settingsOf(env))
    return consumeJobs(batch, env, settingsOf(env))
  },
  async scheduled({ scheduledTime }, env) {
    await doDuties({
      poke: () => pokeSilentLedgers(env, scheduledTime),
      deletions: () => followDeletions(env),
      alerts: () => checkAlerts(env),
      evaluations: () => tendEvaluations(env, scheduledTime),
      prune: () => pruneDeadLetters(env, scheduledTime),
      operator_keys: () => dropOldOperatorKeys(openDirectory(env.DIRECTORY), scheduledTime),
      assertions: () => dropOldAssertions(openDirectory(env.DIRECTORY), scheduledTime),
    })
  },
} satisfies ExportedHandler<ConsumersEnv>
