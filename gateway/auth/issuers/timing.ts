/** When the keys of an issuer may be gone by, and when it is asked for them. Pure; times in milliseconds. */
import type { IssuerRow } from '../../../ledger/directory/issuers.ts'

type Standing = Pick<IssuerRow, 'keysReadAt' | 'failures' | 'nextReadAt' | 'claimedUntil'>

/** Keys that are older are read again; a key that its issuer took back is good no longer than that, unless it cannot be asked. */
export const FRESH_MS = 600_000
/** For as long an issuer may be down before its tokens are good no more. */
export const STALE_MS = 24 * 3_600_000
/** Between two readings for a key that is not among those that are known. */
export const COOLDOWN_MS = 30_000
/** Longer than a reading takes, with the look-up of both names. */
const CLAIM_MS = 15_000
const BACKOFF_MS = 5000
const BACKOFF_CAP_MS = 300_000

const isYounger = ({ keysReadAt }: Standing, now: number, age: number) =>
  keysReadAt !== null && now < keysReadAt + age

export const isFresh = (standing: Standing, now: number) => isYounger(standing, now, FRESH_MS)

/** Whether there is anything to go by at all. */
export const isUsable = (standing: Standing, now: number) => isYounger(standing, now, STALE_MS)

export const isBeingRead = ({ claimedUntil }: Standing, now: number) => now < claimedUntil

export const mayRead = (standing: Standing, now: number) =>
  now >= standing.nextReadAt && !isBeingRead(standing, now)

export const claimEnd = (now: number) => now + CLAIM_MS

/** `why`: the keys were due, or a token named one that was not among them, which anybody can make a token do. */
export const afterReading = (why: 'due' | 'unknown key', now: number) => ({
  keysReadAt: now,
  failures: 0,
  keysError: null,
  nextReadAt: why === 'due' ? now : now + COOLDOWN_MS,
  claimedUntil: 0,
})

export const afterFailure = (failuresBefore: number, keysError: string, now: number) => ({
  failures: failuresBefore + 1,
  keysError,
  nextReadAt: now + Math.min(BACKOFF_MS * 2 ** failuresBefore, BACKOFF_CAP_MS),
  claimedUntil: 0,
})
