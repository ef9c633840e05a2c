/**
 * Deliveries that are being attempted right now. In memory, which saves two rows for each attempt: a ledger that is evicted meanwhile
 * may have one attempted twice, under the same event ID, as receivers must expect anyway.
 */
import { earliest } from './earliest.ts'

export class DeliveryLeases {
  readonly #until = new Map<string, Map<number, number>>()

  /** Counts as lost when nothing was recorded by `until`. */
  hold(endpointId: string, eventSequence: number, until: number): void {
    const held = this.#until.get(endpointId) ?? new Map<number, number>()
    held.set(eventSequence, until)
    this.#until.set(endpointId, held)
  }

  release(endpointId: string, eventSequence: number): void {
    const held = this.#until.get(endpointId)
    held?.delete(eventSequence)
    if (held?.size === 0) this.#until.delete(endpointId)
  }

  /** The event numbers of an endpoint's deliveries that are out now. */
  held(endpointId: string, now: number): number[] {
    for (const [sequence, until] of this.#until.get(endpointId) ?? [])
      if (until <= now) this.release(endpointId, sequence)
    return [...(this.#until.get(endpointId)?.keys() ?? [])]
  }

  /** When the first of an endpoint's attempts that are out counts as lost; null when none is out. */
  nextEnd(endpointId: string): number | null {
    return earliest(this.#until.get(endpointId)?.values() ?? [])
  }
}
