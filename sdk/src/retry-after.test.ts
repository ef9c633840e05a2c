import { describe, expect, it } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const now = Date.parse('2026-11-30T12:00:00Z')
const read = (value: string) => retryAfterMs(new Headers({ 'Retry-After': value }), now)

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['5', 5000],
    ['86400', 86_400_000],
    ['Mon, 30 Nov 2026 12:00:30 GMT', 30_000],
    ['Mon, 30 Nov 2026 11:59:00 GMT', 0],
  ])('of %s is %i ms', (value, ms) => {
    expect(read(value)).toBe(ms)
  })

  it.each([
    '',
    '-1',
    '1.5',
    'soon',
    '1e3',
    'Mon, 99 Nov 2026 12:00:30 GMT',
    '2026-11-30T12:00:30Z',
    '9999999999',
  ])('of "%s" says nothing', (value) => {
    expect(read(value)).toBeNull()
  })

  it('says nothing where it is not', () => {
    expect(retryAfterMs(new Headers(), now)).toBeNull()
  })
})
