/**
 * Tells the callback Worker which endpoints have deliveries due: one message for an endpoint drains all of them, so isolation
 * between endpoints comes from the queue, and a burst of events travels as one message.
 */
import { type CallbackMessage, MESSAGE_VERSION } from './messages.ts'
import { Sender, type SenderParts } from './sender.ts'

/** A drain that has not ended by then is taken for dead; a Worker's background work ends after 30 s. */
const DRAIN_MS = 40_000

/** An endpoint that is owed something, and when to look after it. */
interface Owed {
  readonly endpointId: string
  readonly at: number
}

export class Notifier {
  readonly #sender: Sender<CallbackMessage>
  /** Endpoints that are being drained, and since when. */
  readonly #draining = new Map<string, number>()

  constructor(queue: Pick<Queue<CallbackMessage>, 'sendBatch'>, parts: SenderParts, onFailed: () => void) {
    this.#sender = new Sender(queue, parts, (failed) => {
      for (const { endpoint_id } of failed) this.#draining.delete(endpoint_id)
      onFailed()
    })
  }

  /** Sends for those that are due and not being drained already; nothing while the queue refuses. */
  notify(tenantId: string, owed: readonly Owed[], now: number): void {
    if (now < this.#sender.pausedUntil) return
    const due = owed.filter(({ at }) => at <= now).map(({ endpointId }) => endpointId)
    const idle = due.filter((id) => now >= this.#busyUntil(id))
    for (const id of idle) this.#draining.set(id, now)
    this.#sender.offer(idle.map((endpoint_id) => ({ v: MESSAGE_VERSION, tenant_id: tenantId, endpoint_id })))
  }

  ended(endpointId: string): void {
    this.#draining.delete(endpointId)
  }

  /** When the endpoint needs looking at: not while a drain is on its way, or the queue refuses. */
  readonly wakeAt = ({ endpointId, at }: Owed): number =>
    Math.max(at, this.#busyUntil(endpointId), this.#sender.pausedUntil)

  #busyUntil(endpointId: string) {
    const since = this.#draining.get(endpointId)
    return since === undefined ? 0 : since + DRAIN_MS
  }
}
