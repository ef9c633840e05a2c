/** How an endpoint fares: kept with it, moved by each attempt's outcome. Pure; times in milliseconds since the epoch. */

export interface Health {
  /** Attempts in a row that failed. */
  readonly failures: number
  /** Of the first of them; null while the endpoint does well. */
  readonly failingSince: number | null
  /** When its owner was warned that it will be disabled. */
  readonly warnedAt: number | null
  /** Length of the last pause; 0 while nothing holds deliveries back. After a pause, one delivery tries how things are. */
  readonly pauseMs: number
  readonly pausedUntil: number | null
}

export const healthy: Health = {
  failures: 0,
  failingSince: null,
  warnedAt: null,
  pauseMs: 0,
  pausedUntil: null,
}
