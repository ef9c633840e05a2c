/** The queue `evaluations`: each message is a turn at one. What takes longer is gone on with by another message. */
import { errorName, log } from '../../ledger/log.ts'
import { EvaluationMessage } from '../../ledger/messages.ts'
import { retryLater, sortMessages } from '../../ledger/queue.ts'
import { Gates } from '../gate/gates.ts'
import { providersFor } from '../providers.ts'
import type { Settings } from '../settings.ts'
import { takeTurn } from './turn.ts'

export async function consumeEvaluations(
  batch: MessageBatch,
  env: ConsumersEnv,
  settings: Settings,
): Promise<void> {
  const parts = {
    env,
    gates: new Gates(env.GATES),
    providers: providersFor(env, settings),
    timeoutMs: settings.runTimeoutMs,
    now: Date.now,
    random: Math.random,
    sleep: (ms: number) => scheduler.wait(ms),
  }
  for (const { raw, message } of await sortMessages(batch, EvaluationMessage, env)) {
    const { evaluation_id } = message
    try {
      if (await takeTurn(evaluation_id, parts)) await env.EVALUATIONS.send(message)
      raw.ack()
    } catch (error) {
      log('evaluation.turn_failed', { evaluation_id, message_id: raw.id, error: errorName(error) })
      retryLater(raw)
    }
  }
}
