/**
 * What was found out and holds for a while, in an isolate's memory: values only, since a Worker must not wait for what another request
 * has begun. Bounded in number: the one put in longest ago makes room.
 */
export class BoundedCache<T> {
  readonly #entries = new Map<string, { value: T; expiresAt: number }>()
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  /** The value that holds at `now` (milliseconds). */
  get(key: string, now: number): T | undefined {
    const entry = this.#entries.get(key)
    return entry && now < entry.expiresAt ? entry.value : undefined
  }

  /** The value that was put in last, whether or not it still holds. */
  last(key: string): T | undefined {
    return this.#entries.get(key)?.value
  }

  drop(key: string): void {
    this.#entries.delete(key)
  }

  put(key: string, value: T, expiresAt: number): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, expiresAt })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#size && oldest !== undefined) this.#entries.delete(oldest)
  }
}
