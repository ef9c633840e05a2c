import { describe, expect, it } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const now = Date.UTC(2026, 10, 30, 12, 0, 0)

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['1', 1000],
    ['007', 7000],
    [' 120 ', 120_000],
    ['0.25', 250],
    ['0.0001', 1],
    ['1000000000', 1e12],
    ['9'.repeat(400), Number.POSITIVE_INFINITY],
    ['Mon, 30 Nov 2026 12:00:30 GMT', 30_000],
    ['Monday, 30-Nov-26 12:00:30 GMT', 30_000],
    ['Mon Nov 30 12:00:30 2026', 30_000],
    ['Tue Dec  1 12:00:00 2026', 86_400_000],
    ['Mon, 30 Nov 2026 12:00:00 GMT', 0],
    ['Mon, 30 Nov 2026 11:59:59 GMT', -1000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', -now],
  ])('%.40j asks for %d ms', (text, wanted) => {
    expect(parseRetryAfter(text, now)).toBe(wanted)
  })

  it.each([
    null,
    '',
    ' ',
    'soon',
    '-5',
    '+5',
    '1e9',
    '0x10',
    '１２',
    '.5',
    '5.',
    '1,000',
    '12 s',
    '5, 10',
    'NaN',
    'Infinity',
    '2026-11-30',
    '2026-11-30T12:00:30Z',
    'Mon, 30 Nov 2026 12:00:30',
    'Mon, 30 Nov 2026 12:00:30 UTC',
    'Mon, 30 Nov 2026 12:00:30 +0900',
    'mon, 30 nov 2026 12:00:30 gmt',
    'Mon, 99 Nov 2026 12:00:30 GMT',
    'Mon, 30 Foo 2026 12:00:30 GMT',
    'Mon, 30 Nov 2026 25:00:30 GMT',
  ])('says nothing with %j', (text) => {
    expect(parseRetryAfter(text, now)).toBeNull()
  })
})
