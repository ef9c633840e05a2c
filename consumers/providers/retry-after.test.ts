import { describe, expect, it } from 'vitest'
import { LONGEST_RETRY_AFTER_MS, retryAfterMs } from './retry-after.ts'

const now = Date.UTC(2026, 10, 30, 12, 0, 0)
const timeOf = (headers: Record<string, string>) => retryAfterMs(new Headers(headers), now)

describe('the time that a provider asks for', () => {
  it.each([
    ['seconds', { 'Retry-After': '7' }, 7000],
    ['no seconds', { 'Retry-After': '0' }, 0],
    ['parts of a second', { 'Retry-After': '0.25' }, 250],
    ['a date', { 'Retry-After': 'Mon, 30 Nov 2026 12:00:30 GMT' }, 30_000],
    ['an obsolete date', { 'Retry-After': 'Monday, 30-Nov-26 12:00:30 GMT' }, 30_000],
    ["a date in C's form", { 'Retry-After': 'Mon Nov 30 12:00:30 2026' }, 30_000],
    ['a date that has passed', { 'Retry-After': 'Mon, 30 Nov 2026 11:00:00 GMT' }, 0],
    ['milliseconds', { 'retry-after-ms': '1500' }, 1500],
    ['milliseconds before seconds', { 'retry-after-ms': '1500', 'Retry-After': '2' }, 1500],
    ['seconds where the milliseconds make no sense', { 'retry-after-ms': 'soon', 'Retry-After': '2' }, 2000],
    ['parts of a millisecond', { 'retry-after-ms': '0.4' }, 1],
  ])('may be %s', (_, headers, expected) => {
    expect(timeOf(headers as unknown as Record<string, string>)).toBe(expected)
  })

  it.each(['1000000000', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'is an hour at most, whatever it says: %.40s',
    (value) => {
      expect(timeOf({ 'Retry-After': value })).toBe(LONGEST_RETRY_AFTER_MS)
    },
  )

  it.each([
    '',
    'soon',
    '-5',
    '1e9',
    'NaN',
    'Infinity',
    '12 s',
    '2026-11-30',
    'Mon, 99 Nov 2026 12:00:30 GMT',
  ])('is not known from %j', (value) => {
    expect(timeOf({ 'Retry-After': value })).toBeNull()
  })

  it('is not known without a header', () => {
    expect(timeOf({})).toBeNull()
  })
})
