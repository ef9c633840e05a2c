/**
 * Tells the consumers Worker of batches whose Workflow is to look again, or has been silent for too long: it wakes the instance, or
 * starts the next. What is lost is sent again, since a silent batch stays due.
 */
import { type BatchMessage, MESSAGE_VERSION } from '../messages.ts'
import { Sender, type SenderParts } from '../sender.ts'

interface Reminded {
  readonly id: string
  readonly dueAt: number | null
}

export class Waker {
  readonly #sender: Sender<BatchMessage>
  readonly #graceMs: number
  /** Silent batches that a message is on its way for, and until when none more is sent. */
  readonly #told = new Map<string, number>()

  constructor(
    queue: Pick<Queue<BatchMessage>, 'sendBatch'>,
    parts: SenderParts,
    graceMs: number,
    onFailed: () => void,
  ) {
    this.#graceMs = graceMs
    this.#sender = new Sender(queue, parts, (failed) => {
      for (const { batch_id } of failed) this.#told.delete(batch_id)
      onFailed()
    })
  }

  /** Their Workflows find something new. Best effort: nothing is waited for long without looking. */
  wake(tenantId: string, batchIds: Iterable<string>): void {
    this.#send(tenantId, [...batchIds])
  }

  /** Batches that are due, with all that are worked for: what is not due any more has shown itself. */
  remind(tenantId: string, batches: readonly Reminded[], now: number): void {
    const due = batches.filter(({ dueAt }) => dueAt !== null && dueAt <= now)
    for (const id of this.#told.keys()) if (!due.some((batch) => batch.id === id)) this.#told.delete(id)
    if (now < this.#sender.pausedUntil) return
    const untold = due.filter(({ id }) => (this.#told.get(id) ?? 0) <= now).map(({ id }) => id)
    for (const id of untold) this.#told.set(id, now + this.#graceMs)
    this.#send(tenantId, untold)
  }

  /** When the batch needs looking at. */
  readonly wakeAt = ({ id, dueAt }: Reminded): number =>
    Math.max(dueAt ?? 0, this.#told.get(id) ?? 0, this.#sender.pausedUntil)

  #send(tenantId: string, batchIds: string[]): void {
    this.#sender.offer(batchIds.map((batch_id) => ({ v: MESSAGE_VERSION, tenant_id: tenantId, batch_id })))
  }
}
