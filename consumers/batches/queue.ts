/** One batch of the queue `batches`: sees to it that each batch named has a living Workflow, and that it looks again. */
import { BatchMessage } from '../../ledger/messages.ts'
import { sortMessages } from '../../ledger/queue.ts'

export async function consumeBatches(batch: MessageBatch, env: ConsumersEnv): Promise<void> {
  for (const { raw } of await sortMessages(batch, BatchMessage, env)) raw.ack()
}
