/**
 * Calls that wait until there is something to tell them. In memory, and outside of any transaction: a waiter holds up nobody, and one
 * that is lost with the ledger's object asks again.
 */

export interface WaiterParts {
  readonly now: () => number
  /** Runs something later; answers how to call it off. */
  readonly later: (run: () => void, ms: number) => () => void
}

interface Waiter {
  readonly hasNews: () => boolean
  readonly end: () => void
}

export class Waiters {
  readonly #waiting = new Set<Waiter>()
  readonly #limit: number
  readonly #parts: WaiterParts

  /** `limit`: how many may wait at once. */
  constructor(limit: number, parts: WaiterParts) {
    this.#limit = limit
    this.#parts = parts
  }

  /**
   * Ends when `hasNews` says so, which is asked after each `wake`, or at `until` (milliseconds since the epoch). Null when as many
   * as may are waiting already.
   */
  wait(until: number, hasNews: () => boolean): Promise<void> | null {
    if (this.#waiting.size >= this.#limit) return null
    return new Promise((resolve) => {
      const end = () => {
        callOff()
        this.#waiting.delete(waiter)
        resolve()
      }
      const waiter = { hasNews, end }
      const callOff = this.#parts.later(end, Math.max(0, until - this.#parts.now()))
      this.#waiting.add(waiter)
    })
  }

  /** Something may have changed. Never throws: who cannot be told whether there is news goes and sees. */
  wake(): void {
    for (const waiter of [...this.#waiting]) if (concerns(waiter)) waiter.end()
  }
}

function concerns({ hasNews }: Waiter): boolean {
  try {
    return hasNews()
  } catch {
    return true
  }
}

/** What `read` answers, and whether it was as patient as asked: a bare answer is waited upon, unless `wait` gives no place to. */
export async function patiently<T>(
  read: (isAgain: boolean) => T,
  isBare: (answer: T) => boolean,
  wait: () => Promise<void> | null,
): Promise<{ answer: T; patient: boolean }> {
  const answer = read(false)
  if (!isBare(answer)) return { answer, patient: true }
  const waiting = wait()
  if (!waiting) return { answer, patient: false }
  await waiting
  return { answer: read(true), patient: true }
}
