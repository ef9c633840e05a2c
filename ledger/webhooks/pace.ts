/**
 * How fast deliveries go out to each endpoint: never more than it wants in any second. In memory: an evicted ledger may let through one
 * second's worth too many.
 */
const SECOND = 1000

export class Pace {
  readonly #taken = new Map<string, number[]>()

  /** How many more may go out now; `maxPerSecond` null for no limit. */
  left(endpointId: string, maxPerSecond: number | null, now: number): number {
    if (maxPerSecond === null) return Number.POSITIVE_INFINITY
    return Math.max(0, maxPerSecond - this.#recent(endpointId, now).length)
  }

  take(endpointId: string, maxPerSecond: number | null, count: number, now: number): void {
    if (maxPerSecond === null || count === 0) return
    this.#taken.set(endpointId, [...this.#recent(endpointId, now), ...new Array<number>(count).fill(now)])
  }

  /** When the next one may go out; `now` if one may now. */
  freeAt(endpointId: string, maxPerSecond: number | null, now: number): number {
    if (maxPerSecond === null) return now
    const recent = this.#recent(endpointId, now)
    const first = recent[recent.length - maxPerSecond]
    return first === undefined ? now : first + SECOND
  }

  #recent(endpointId: string, now: number): number[] {
    const recent = (this.#taken.get(endpointId) ?? []).filter((at) => at > now - SECOND)
    if (recent.length > 0) this.#taken.set(endpointId, recent)
    else this.#taken.delete(endpointId)
    return recent
  }
}
