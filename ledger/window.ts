/**
 * A sliding window of one minute in one-second buckets: never more than `limit` in any 60 seconds. Pure; times in milliseconds.
 *
 * It lives in a ledger's memory. So that an evicted ledger does not forget, its state is worth writing from half of the limit on, at
 * each further tenth. One that comes back assumes the most that can have gone unwritten: just under half in all, or just under a
 * tenth on top of what was written. While it counts such an assumption it writes at each hundredth, since a row of evictions
 * within a minute would else add up to the whole limit.
 */
const SECOND = 1000
const BUCKETS = 61
const STEPS = 10
const STEPS_AFTER_EVICTION = 100

export interface WindowState {
  readonly at: number
  readonly buckets: readonly number[]
  /** Less than this is taken before the state is written again. */
  readonly step: number
}

export class Window {
  #limit: number
  #second = 0
  #used = 0
  #buckets = new Array<number>(BUCKETS).fill(0)
  /** Taken since the state was last written. */
  #unwritten = 0
  /** As the state on record says. */
  #step: number
  /** The second from which nothing counts that is only assumed. */
  #sureFrom = 0

  constructor(limit: number, now: number, state: WindowState | 'fresh' | 'unknown') {
    this.#limit = limit
    this.#second = Math.floor(now / SECOND)
    this.#step = this.#nextStep()
    if (state === 'fresh') return
    if (state !== 'unknown') this.#restore(state, now)
    this.#unwritten = this.#forgotten()
    this.#add(this.#unwritten)
    this.#sureFrom = this.#second + BUCKETS
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
    this.#add(granted)
    this.#unwritten += granted
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

  /** When `wanted` units are free together, if nothing more is taken; `now` when they are. More than the limit never are. */
  freeAt(wanted: number, now: number): number {
    let missing = wanted - this.available(now)
    if (missing <= 0) return now
    for (let age = BUCKETS - 1; age >= 0; age--) {
      const second = this.#second - age
      missing -= this.#bucket(second)
      if (missing <= 0) return (second + BUCKETS) * SECOND
    }
    return (this.#second + BUCKETS) * SECOND
  }

  /** The state to write, when it is worth a row: from half of the limit on, at each further step. Null otherwise. */
  worthWriting(): WindowState | null {
    if (this.#used < this.#limit / 2 || this.#unwritten < this.#step) return null
    this.#unwritten = 0
    this.#step = this.#nextStep()
    const buckets = this.#buckets.map((_, age) => this.#bucket(this.#second - age))
    return { at: this.#second, buckets, step: this.#step }
  }

  #nextStep() {
    const steps = this.#second < this.#sureFrom ? STEPS_AFTER_EVICTION : STEPS
    return Math.max(1, Math.floor(this.#limit / steps))
  }

  /** The most that can have been taken beyond what is on record. */
  #forgotten() {
    const justUnderHalf = Math.ceil(this.#limit / 2) - 1
    const most = Math.max(justUnderHalf, this.#used > 0 ? this.#used + this.#step - 1 : 0)
    return Math.max(0, Math.min(most, this.#limit) - this.#used)
  }

  #restore({ at, buckets, step }: WindowState, now: number) {
    this.#second = at
    this.#step = step
    for (const [age, count] of buckets.entries()) {
      this.#buckets[(at - age + BUCKETS) % BUCKETS] = count
      this.#used += count
    }
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
