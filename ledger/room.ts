/** How full a ledger's storage is. New work is refused in time, so that settling what was accepted always fits. */
import { refused } from './replies.ts'

/** What one object can hold (SQLite-backed Durable Objects, paid plan). */
const MAX_BYTES = 10_000_000_000
const FULL_SHARE = 0.8
const LOOK_EVERY_MS = 5000

export class Room {
  readonly #bytes: () => number
  #lookedAt = Number.NEGATIVE_INFINITY
  #full = false

  /** `bytes`: the size of the database now. */
  constructor(bytes: () => number) {
    this.#bytes = bytes
  }

  /** Asks for the size at most every five seconds, so that accepting a job costs nothing more. */
  isFull(now: number): boolean {
    if (now - this.#lookedAt < LOOK_EVERY_MS) return this.#full
    this.#lookedAt = now
    this.#full = this.#bytes() >= MAX_BYTES * FULL_SHARE
    return this.#full
  }
}

export const noRoom = refused(
  'backlog-full',
  "The tenant's storage is almost full. Content that is deleted, or reaches the end of its retention, makes room.",
  { retryAfterSeconds: 300 },
)
