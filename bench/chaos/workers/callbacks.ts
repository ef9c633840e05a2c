/** The callback Worker under chaos: every batch is delivered twice, side by side. */
import callbacks from '../../../callbacks/worker.ts'
import { applyTo, copyOf } from './copies.ts'
import { tell } from './tell.ts'

export default {
  async queue(batch: MessageBatch, env: CallbacksEnv, ctx: ExecutionContext): Promise<void> {
    tell('chaos.doubled', { queue: batch.queue, messages: batch.messages.length })
    const [first, second] = [copyOf(batch, batch.messages), copyOf(batch, batch.messages)]
    await Promise.all([first, second].map((copy) => callbacks.queue(copy.batch, env, ctx)))
    for (const message of batch.messages) {
      const ending = first.endings.get(message.id)
      if (ending) applyTo(message, ending)
    }
  },
}
