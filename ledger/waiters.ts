/**
 * Calls that wait until there is something to tell them. In memory, and outside of any transaction: a waiter holds up nobody, and one
 * that is lost with the ledger's object asks again.
 */

export interface WaiterParts {
  readonly now: () => number
  /** Runs something later; answers how to call it off. */
  readonly later: (run: () => void, ms: number) => () => void
}

/** How patient a call is. */
export interface Patience {
  /** Milliseconds since the epoch. */
  readonly until: number
  /** Names the call, so that whoever made it can end it. */
  readonly waiter: string
}

interface Waiter {
  readonly hasNews: () => boolean
  readonly end: () => void
}

/** Between two rounds in which all are asked: a busy ledger has something new every few milliseconds. */
const ROUND_MS = 100

export class Waiters {
  readonly #waiting = new Map<string, Waiter>()
  readonly #limit: number
  readonly #parts: WaiterParts
  #nextRound = 0
  #isRoundDue = false

  /** `limit`: how many may wait at once. */
  constructor(limit: number, parts: WaiterParts) {
    this.#limit = limit
    this.#parts = parts
  }

  /** Ends when `hasNews` says so, which is asked after a `wake`, or when patience does. Null when as many as may are waiting already. */
  wait({ until, waiter }: Patience, hasNews: () => boolean): Promise<void> | null {
    if (this.#waiting.size >= this.#limit) return null
    return new Promise((resolve) => {
      const end = () => {
        callOff()
        this.#waiting.delete(waiter)
        resolve()
      }
      const callOff = this.#parts.later(end, Math.max(0, until - this.#parts.now()))
      this.#waiting.set(waiter, { hasNews, end })
    })
  }

  /** Nobody waits for the answer any more: the place is free. */
  leave(waiter: string): void {
    this.#waiting.get(waiter)?.end()
  }

  /** All of them go and see. */
  dismiss(): void {
    for (const waiter of [...this.#waiting.values()]) waiter.end()
  }

  /** Something may have changed: all are asked, now or as soon as a round is due again. */
  wake(): void {
    if (this.#waiting.size === 0 || this.#isRoundDue) return
    const dueIn = this.#nextRound - this.#parts.now()
    this.#isRoundDue = dueIn > 0
    if (this.#isRoundDue) this.#parts.later(() => this.#askAll(), dueIn)
    else this.#askAll()
  }

  /** Never throws: who cannot be told whether there is news goes and sees. */
  #askAll(): void {
    this.#isRoundDue = false
    this.#nextRound = this.#parts.now() + ROUND_MS
    for (const waiter of [...this.#waiting.values()]) if (concerns(waiter)) waiter.end()
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
