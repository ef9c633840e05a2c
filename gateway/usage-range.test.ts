import { describe, expect, it } from 'vitest'
import { Problem } from './problem.ts'
import { dayNumber, usageRange } from './usage-range.ts'

const now = Date.parse('2026-11-30T23:59:59.999Z')

describe('the range that usage is asked for', () => {
  it.each([
    [{}, '2026-11-01', '2026-11-30'],
    [{ from: '2026-11-30' }, '2026-11-30', '2026-11-30'],
    [{ from: '2025-11-30' }, '2025-11-30', '2026-11-30'],
    [{ to: '2024-02-29' }, '2024-02-01', '2024-02-29'],
    [{ to: '2027-01-15' }, '2027-01-01', '2027-01-15'],
    [{ from: '2024-01-01', to: '2024-12-31' }, '2024-01-01', '2024-12-31'],
    [{ from: '2026-03-28', to: '2026-03-30' }, '2026-03-28', '2026-03-30'],
  ])('%j is from %s to %s', (query, from, to) => {
    expect(usageRange(query, now)).toEqual({ from, to })
  })

  it.each([
    [{ from: '2026-12-01' }, 'ends before it begins'],
    [{ from: '2026-02-02', to: '2026-02-01' }, 'ends before it begins'],
    [{ from: '2023-12-31', to: '2024-12-31' }, 'more than 366 days'],
    [{ from: '2025-11-29' }, 'more than 366 days'],
  ])('%j is refused: it %s', (query, why) => {
    expect(() => usageRange(query, now)).toThrow(Problem)
    expect(() => usageRange(query, now)).toThrow(why)
  })

  it('names its days as the ledger does', () => {
    expect(dayNumber('2026-01-09')).toBe(20_260_109)
  })
})
