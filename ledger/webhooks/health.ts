/**
 * How an endpoint fares: kept with it, and moved by what becomes of each attempt. Pure; times in milliseconds since the epoch.
 *
 * A receiver that says that it is overloaded is left alone for a while, and so is one that failed ten times in a row. After the pause a
 * single delivery tries how things are (the circuit is half open): a success lets all through again, a failure begins a longer pause.
 */
import type { Exchanged } from './exchange.ts'

export interface Health {
  /** Attempts from before this say nothing: the endpoint was enabled, or moved to another URL, then. */
  readonly since: number
  /** Attempts in a row that failed. */
  readonly failures: number
  /** Of the first of them; null while the endpoint does well. */
  readonly failingSince: number | null
  /** When its owner was warned that it will be disabled. */
  readonly warnedAt: number | null
  /** Length of the last pause; 0 while nothing holds deliveries back. */
  readonly pauseMs: number
  readonly pausedUntil: number | null
}

export const healthy: Health = {
  since: 0,
  failures: 0,
  failingSince: null,
  warnedAt: null,
  pauseMs: 0,
  pausedUntil: null,
}

/** Too many requests, bad gateway, unavailable, gateway timeout: signs of overload, as Standard Webhooks reads them. */
const overloaded = new Set<number | null>([429, 502, 503, 504])
const FAILURES_IN_A_ROW = 10
const FIRST_PAUSE_MS = 5000
const LONGEST_PAUSE_MS = 5 * 60_000

const DAY_MS = 86_400_000
const WARNED_AFTER_MS = DAY_MS
const DISABLED_AFTER_MS = 5 * DAY_MS
/** Between the warning and the disabling, however late the warning came. */
const NOTICE_MS = DAY_MS

/** The health after an attempt that ended `now`; the very same object where nothing changes. */
export function afterAttempt(health: Health, { attempt, retryAfterMs }: Exchanged, now: number): Health {
  // An attempt that was under way when the pause began says nothing about what is after it.
  const stale = health.pausedUntil !== null && attempt.at < health.pausedUntil
  if (attempt.error === null) return recovered(health, stale)
  const failing = {
    ...health,
    failures: health.failures + 1,
    failingSince: health.failingSince ?? attempt.at,
  }
  const pauses = overloaded.has(attempt.status_code) || failing.failures >= FAILURES_IN_A_ROW
  const pauseMs = pauses && !stale ? nextPause(health.pauseMs) : health.pauseMs
  const until = Math.max(pauses && !stale ? now + pauseMs : 0, now + (retryAfterMs ?? 0))
  if (until <= now) return failing
  return {
    ...failing,
    pauseMs: pauseMs || FIRST_PAUSE_MS,
    pausedUntil: Math.max(health.pausedUntil ?? 0, until),
  }
}

const nextPause = (last: number) => (last === 0 ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, last * 2))

function recovered(health: Health, stale: boolean): Health {
  if (health.failures === 0 && health.pauseMs === 0) return health
  const { pauseMs, pausedUntil } = stale ? health : healthy
  return { ...healthy, since: health.since, pauseMs, pausedUntil }
}

/** Whether a single delivery is to try how things are. */
export const isOnTrial = ({ pauseMs }: Health) => pauseMs > 0

/** The health once someone who may know better wants deliveries made at once: the pause ends, the trial stays. */
export const withoutPause = (health: Health): Health =>
  health.pausedUntil === null ? health : { ...health, pausedUntil: null }

/** What a run of nothing but failures calls for; `disable` never without a warning a day before. */
export function calledFor({ failingSince, warnedAt }: Health, now: number): 'nothing' | 'warn' | 'disable' {
  if (failingSince === null) return 'nothing'
  const failingMs = now - failingSince
  if (warnedAt === null) return failingMs >= WARNED_AFTER_MS ? 'warn' : 'nothing'
  return failingMs >= DISABLED_AFTER_MS && now - warnedAt >= NOTICE_MS ? 'disable' : 'nothing'
}
