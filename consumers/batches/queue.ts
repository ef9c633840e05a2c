/** One batch of the queue `batches`: sees to it that each batch named has a living Workflow, and that it looks again. */
import { errorName, log } from '../../ledger/log.ts'
import { BatchMessage } from '../../ledger/messages.ts'
import { retryLater, sortMessages } from '../../ledger/queue.ts'
import { tendBatch } from './instances.ts'

type Known = { raw: Message; message: BatchMessage }

export async function consumeBatches(batch: MessageBatch, env: ConsumersEnv): Promise<void> {
  const known = await sortMessages(batch, BatchMessage, env)
  const byBatch = Map.groupBy(known, ({ message }) => message.batch_id)
  await Promise.all(Array.from(byBatch.values(), (same) => tend(same, env)))
}

/** Messages about one batch say the same. */
async function tend([first, ...rest]: Known[], env: ConsumersEnv): Promise<void> {
  for (const { raw } of rest) raw.ack()
  if (!first) return
  const { raw, message } = first
  const { tenant_id: tenantId, batch_id: batchId } = message
  try {
    const tended = await tendBatch(env, { tenantId, batchId }, raw.attempts > 1)
    if (tended === 'again') retryLater(raw)
    else raw.ack()
  } catch (error) {
    log('batches.tend_failed', { tenant_id: tenantId, batch_id: batchId, error: errorName(error) })
    retryLater(raw)
  }
}
