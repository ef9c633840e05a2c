/**
 * A sliding window of one minute in one-second buckets: never more than `limit` in any 60 seconds. Pure; times in milliseconds.
 *
 * It lives in a ledger's memory. So that an evicted ledger does not forget, its state is worth writing once half of the limit
 * is used; one that comes back without a written state assumes that just under half was used.
 */
const SECOND = 1000
const BUCKETS = 61

export interface WindowState {
  readonly at: number
  readonly buckets: readonly number[]
}

export class Window {
  #limit: number
  #second = 0
  #used = 0
  #buckets = new Array<number>(BUCKETS).fill(0)
  #writtenUsed = 0

  constructor(limit: number, now: number, state: WindowState | 'fresh' | 'unknown') {
    this.#limit = limit
    this.#second = Math.floor(now / SECOND)
    if (state === 'unknown') this.#add(this.#unwritten())
    else if (state !== 'fresh') this.#restore(state, now)
  }

  set limit(limit: number) {
    this.#limit = limit
  }

  get limit() {
    return this.#limit
  }

  /** Takes up to `wanted`; answers how many were granted. */
  take(wanted: number, now: number): number {
    const granted = Math.min(wanted, this.available(now))
    if (granted > 0) this.#add(granted)
    return granted
  }

  available(now: number): number {
    this.#advance(now)
    return Math.max(0, this.#limit - this.#used)
  }

  /** When the next unit comes free again; `now` if one is free and nothing is used. */
  nextFreeAt(now: number): number {
    this.#advance(now)
    for (let age = BUCKETS - 1; age >= 0; age--) {
      const second = this.#second - age
      if (this.#bucket(second) > 0) return (second + BUCKETS) * SECOND
    }
    return now
  }

  /** The state to write, when it is worth a row: from half of the limit on, at each further tenth. Null otherwise. */
  worthWriting(): WindowState | null {
    const step = Math.max(1, Math.floor(this.#limit / 10))
    if (this.#used < this.#limit / 2 || Math.abs(this.#used - this.#writtenUsed) < step) return null
    this.#writtenUsed = this.#used
    return { at: this.#second, buckets: this.#buckets.map((_, age) => this.#bucket(this.#second - age)) }
  }

  #unwritten() {
    return Math.max(0, Math.ceil(this.#limit / 2) - 1)
  }

  #restore({ at, buckets }: WindowState, now: number) {
    this.#second = at
    for (const [age, count] of buckets.entries()) {
      this.#buckets[(at - age + BUCKETS) % BUCKETS] = count
      this.#used += count
    }
    this.#writtenUsed = this.#used
    this.#advance(now)
  }

  #bucket(second: number) {
    return this.#buckets[second % BUCKETS] ?? 0
  }

  #add(count: number) {
    this.#buckets[this.#second % BUCKETS] = this.#bucket(this.#second) + count
    this.#used += count
  }

  #advance(now: number) {
    const target = Math.floor(now / SECOND)
    for (let steps = Math.min(target - this.#second, BUCKETS); steps > 0; steps--) {
      const reused = (target - steps + 1) % BUCKETS
      this.#used -= this.#buckets[reused] ?? 0
      this.#buckets[reused] = 0
    }
    this.#second = Math.max(this.#second, target)
  }
}
