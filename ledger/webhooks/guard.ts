/** Whether a URL may be called, asked when it is stored and again before every attempt. */
import { checkDestination, type DestinationRules } from './destination.ts'

/** `passing`: the refusal is for now, since nobody can say; else it holds until the URL, or what its name stands for, changes. */
export type Verdict = { ok: true; url: URL } | { ok: false; why: string; passing: boolean }

export type Guard = (url: string) => Promise<Verdict>

export const makeGuard =
  (rules: DestinationRules): Guard =>
  async (url) => {
    const destination = checkDestination(url, rules)
    return destination.ok ? destination : { ...destination, passing: false }
  }
