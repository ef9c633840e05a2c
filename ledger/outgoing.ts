/**
 * What a ledger remembers of deliveries on their way: which are being attempted, and how fast they go. In memory, which saves two rows
 * for each attempt: a ledger that is evicted meanwhile may have one attempted twice, under the same event ID, as receivers must
 * expect anyway.
 */
import { DeliveryLeases } from './delivery-leases.ts'
import type { Subscription } from './subscriptions.ts'
import { isOnTrial } from './webhooks/health.ts'
import { Pace } from './webhooks/pace.ts'

/** Attempts at one endpoint at once. An invocation may have six connections that wait for headers; one more goes to the ledger. */
export const CONCURRENT = 4
/** An attempt that has not been recorded after this long counts as lost; the exchange itself ends after 15 s. */
const ATTEMPT_LEASE_MS = 30_000

export class Outgoing {
  readonly #leases = new DeliveryLeases()
  readonly #pace = new Pace()

  /** How many more deliveries the endpoint takes now. */
  room({ id, health, maxPerSecond }: Subscription, now: number): number {
    if (now < (health.pausedUntil ?? 0)) return 0
    const free = limitOf(health) - this.out(id, now).length
    return Math.max(0, Math.min(free, this.#pace.left(id, maxPerSecond, now)))
  }

  /** When it takes more; `now` or earlier if it does now. */
  roomAt({ id, health, maxPerSecond }: Subscription, now: number): number {
    const full = this.out(id, now).length >= limitOf(health)
    return Math.max(
      health.pausedUntil ?? 0,
      this.#pace.freeAt(id, maxPerSecond, now),
      full ? (this.#leases.nextEnd(id) ?? now) : now,
    )
  }

  /** These go out now. */
  send({ id, maxPerSecond }: Subscription, eventSequences: readonly number[], now: number): void {
    for (const one of eventSequences) this.#leases.hold(id, one, now + ATTEMPT_LEASE_MS)
    this.#pace.take(id, maxPerSecond, eventSequences.length, now)
  }

  /** This one was recorded. */
  ended(endpointId: string, eventSequence: number): void {
    this.#leases.release(endpointId, eventSequence)
  }

  /** The event numbers of an endpoint's deliveries that are out now. */
  out = (endpointId: string, now: number): number[] => this.#leases.held(endpointId, now)

  /** When the first of those that are out counts as lost; null when none is. */
  nextLoss = (endpointId: string): number | null => this.#leases.nextEnd(endpointId)
}

const limitOf = (health: Subscription['health']) => (isOnTrial(health) ? 1 : CONCURRENT)
