/** What the demo tells is true, or the demo ends there. */
import { ProblemError } from '../../sdk/src/index.ts'
import type { Answer } from '../support/api.ts'

export class NotAsClaimed extends Error {}

export function claim(truth: boolean, what: string): asserts truth {
  if (!truth) throw new NotAsClaimed(`Not as claimed: ${what}`)
}

export function claimStatus(answer: Answer, status: number): void {
  claim(
    answer.status === status,
    `the answer is ${status}; it is ${answer.status}: ${JSON.stringify(answer.body)}`,
  )
}

/** What a call is refused with. */
export async function refusal(status: number, call: Promise<unknown>): Promise<ProblemError> {
  const outcome = await call.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(outcome instanceof ProblemError))
    throw outcome ?? new NotAsClaimed(`It is not refused with ${status}.`)
  claim(outcome.status === status, `the answer is ${status}; it is ${outcome.message}`)
  return outcome
}

/** Asks again until there is an answer other than null. */
export async function eventually<T>(
  what: string,
  seconds: number,
  ask: () => Promise<T | null> | T | null,
): Promise<T> {
  for (const until = Date.now() + seconds * 1000; Date.now() < until; ) {
    const found = await ask()
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new NotAsClaimed(`Not within ${seconds} seconds: ${what}`)
}
