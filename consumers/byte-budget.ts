/**
 * Bounds the bytes of content that an isolate holds at once: it has 128 MB for all that runs in it side by side.
 *
 * Who waits looks by a timer of its own: an invocation that the platform ends never says that it let go, and would leave others
 * waiting for it for ever. So holding ends by itself after a time, and who stopped looking loses its place in the queue.
 */
const LOOK_EVERY_MS = 50
const ABSENT_MS = 5000

interface Held {
  readonly bytes: number
  readonly until: number
}

export class ByteBudget {
  readonly #capacity: number
  readonly #now: () => number
  readonly #held = new Set<Held>()
  /** In order of arrival, with when each last looked. */
  readonly #waiting = new Map<symbol, number>()

  constructor(capacity: number, now: () => number) {
    this.#capacity = capacity
    this.#now = now
  }

  /**
   * Runs the body once so many bytes are free, for at most `longestMs` as far as others are concerned. What is larger than all
   * there is runs alone. Rejects with the signal's reason when it aborts before.
   */
  async hold<T>(bytes: number, longestMs: number, signal: AbortSignal, body: () => Promise<T>): Promise<T> {
    if (bytes === 0) return body()
    const letGo = await this.take(bytes, longestMs, signal)
    try {
      return await body()
    } finally {
      letGo()
    }
  }

  /** As `hold`, until what it answers is called. */
  async take(bytes: number, longestMs: number, signal: AbortSignal): Promise<() => void> {
    const held = await this.#turn(Math.min(bytes, this.#capacity), longestMs, signal)
    return () => void this.#held.delete(held)
  }

  async #turn(bytes: number, longestMs: number, signal: AbortSignal): Promise<Held> {
    const me = Symbol()
    try {
      signal.throwIfAborted()
      while (!this.#mayGo(me, bytes)) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
        signal.throwIfAborted()
      }
      const held = { bytes, until: this.#now() + longestMs }
      this.#held.add(held)
      return held
    } finally {
      this.#waiting.delete(me)
    }
  }

  #mayGo(me: symbol, bytes: number): boolean {
    const now = this.#now()
    this.#waiting.set(me, now)
    for (const [who, lookedAt] of this.#waiting) if (now - lookedAt > ABSENT_MS) this.#waiting.delete(who)
    for (const held of this.#held) if (held.until <= now) this.#held.delete(held)
    const [first] = this.#waiting.keys()
    const free = Array.from(this.#held).reduce((left, held) => left - held.bytes, this.#capacity)
    return first === me && bytes <= free
  }
}
