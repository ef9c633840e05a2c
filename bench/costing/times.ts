/** What is kept how long, as customers get it by default, and how the clock is put forward past each of these dates. */

export const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const DAYS_A_MONTH = 30
const GB = 1e9

/** Days from the end of a job or batch on: content, events with their deliveries, the row itself. */
const kept = { content: 7, events: 30, rows: 104 } as const

/** Bytes on disk of one job or item while all of it is there, without its content, and without its events. */
export interface Sizes {
  readonly whole: number
  readonly withoutContent: number
  readonly withoutEvents: number
}

/** GB-months that a ledger keeps for one of them. */
export const storedBy = ({ whole, withoutContent, withoutEvents }: Sizes): number =>
  (whole * kept.content +
    withoutContent * (kept.events - kept.content) +
    withoutEvents * (kept.rows - kept.events)) /
  DAYS_A_MONTH /
  GB

/** GB-months of content in R2. */
export const contentBy = (bytes: number): number => (bytes * kept.content) / DAYS_A_MONTH / GB

/** How far the clock goes from one date to the one after it; an hour more than each time that is kept. */
export const steps = {
  content: kept.content * DAY_MS + HOUR_MS,
  events: (kept.events - kept.content) * DAY_MS + HOUR_MS,
  rows: (kept.rows - kept.events) * DAY_MS + HOUR_MS,
} as const

/** The minute's cron goes on all the month: its share of each of a million jobs or items. */
export const TICKS_EACH = (DAYS_A_MONTH * 24 * 60) / 1_000_000
