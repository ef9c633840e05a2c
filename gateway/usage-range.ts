/** Ranges of time that queries ask for. */
import { moment } from '../ledger/wire.ts'
import { MOST_DAYS, type UsageQuery } from '../openapi/usage.ts'
import { Problem } from './problem.ts'
import type { Range } from './views/usage.ts'

const DAY_MS = 86_400_000

/** For usage, in days: by default the month of its last day up to that day, which is today. */
export function usageRange({ from, to }: Pick<UsageQuery, 'from' | 'to'>, now: number): Range {
  const last = to ?? new Date(now).toISOString().slice(0, 10)
  const first = from ?? `${last.slice(0, 8)}01`
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
  if (days < 1) throw refusal(from === undefined ? 'to' : 'from', 'The range ends before it begins.')
  if (days > MOST_DAYS) throw refusal('from', `The range has more than ${MOST_DAYS} days.`)
  return { from: first, to: last }
}

/** Throws the problem of a period that ends before it begins. */
export function checkPeriod(period: {
  created_after?: string | undefined
  created_before?: string | undefined
}) {
  const [from, before] = [moment(period.created_after), moment(period.created_before)]
  if (from !== null && before !== null && before < from)
    throw refusal('created_before', 'The period ends before it begins.')
}

const refusal = (parameter: string, detail: string) =>
  new Problem('invalid-request', { detail, errors: [{ parameter, detail }] })

/** `2026-11-30` as `20261130`. */
export const dayNumber = (date: string) => Number(date.replaceAll('-', ''))

export const daysOf = ({ from, to }: Range) => ({ from: dayNumber(from), to: dayNumber(to) })
