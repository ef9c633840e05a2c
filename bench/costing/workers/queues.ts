/** Counts what a batch of messages costs whoever consumes it. */
import { chunksOf, count } from './meters.ts'

/** An invocation; each message is read, and deleted when it is not to come again. */
export async function counted(
  batch: MessageBatch,
  consume: (batch: MessageBatch) => Promise<void>,
): Promise<void> {
  count('worker_requests')
  const again = new Set<string>()
  const messages = batch.messages.map((message) => watched(message, () => again.add(message.id)))
  await consume({
    ...batch,
    queue: batch.queue,
    metadata: batch.metadata,
    messages,
    ackAll: () => batch.ackAll(),
    retryAll: (options) => batch.retryAll(options),
  })
  for (const { id, body } of batch.messages)
    count('queue_operations', chunksOf(body) * (again.has(id) ? 1 : 2))
}

const watched = (message: Message, onRetry: () => void): Message => ({
  id: message.id,
  timestamp: message.timestamp,
  body: message.body,
  attempts: message.attempts,
  ack: () => message.ack(),
  retry(options) {
    onRetry()
    message.retry(options)
  },
})
