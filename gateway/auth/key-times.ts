/**
 * Which of our issuer's keys signs at a moment, and which are published and accepted. Pure.
 *
 *   published ──use_from──▶ signs ──the next one's use_from──▶ accepted ──its last token has ended──▶ gone
 *
 * The clock moves a key along, so that one deployment is enough to rotate: it brings the next key with its time.
 */
import { CLOCK_TOLERANCE_SECONDS, TOKEN_SECONDS } from './lifetimes.ts'

interface TimedKey {
  /** From when on it signs, in milliseconds since the epoch. */
  readonly useFrom: number
}

/** An isolate whose clock is slow signs with the old key for that much longer. */
const SLOW_CLOCK_SECONDS = 60
const ACCEPTED_AFTER_MS = (TOKEN_SECONDS + CLOCK_TOLERANCE_SECONDS + SLOW_CLOCK_SECONDS) * 1000

/**
 * The youngest whose time has come; of several of one time the first in the list. Where no time has come, the one that is next: a
 * token that a verifier has to fetch the keys for is better than none. Undefined for an empty list only.
 */
export function signingAt<K extends TimedKey>(keys: readonly K[], now: number): K | undefined {
  const youngest = Math.max(...keys.map(({ useFrom }) => useFrom).filter((time) => time <= now))
  return keys.find(({ useFrom }) => useFrom === youngest) ?? keys.toSorted((a, b) => a.useFrom - b.useFrom)[0]
}

/** All but those whose last token has ended. */
export const publishedAt = <K extends TimedKey>(keys: readonly K[], now: number): K[] =>
  keys.filter((key) => now < replacedAt(keys, key) + ACCEPTED_AFTER_MS)

/** When a younger one takes over; never, where there is none. */
const replacedAt = (keys: readonly TimedKey[], { useFrom }: TimedKey) =>
  Math.min(...keys.map((key) => key.useFrom).filter((time) => time > useFrom))
