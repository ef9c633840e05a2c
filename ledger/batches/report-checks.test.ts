import { describe, expect, it } from 'vitest'
import { countsAddUp } from './report-checks.ts'

type Chunk = Parameters<typeof countsAddUp>[1][number]

const chunk = (statuses: string, more: Partial<Chunk> = {}): Chunk => {
  const count = (status: string) => statuses.split(status).length - 1
  return {
    ...{ items: statuses.length, statuses },
    ...{ succeeded: count('s'), failed: count('f'), cancelled: count('c'), expired: count('e') },
    ...more,
  }
}

describe('counts', () => {
  it('add up where every item has one end', () => {
    expect(countsAddUp(6, [chunk('sfce'), chunk('ss')])).toMatchObject({ passed: true, detail: null })
  })

  it.each<[string, number, Chunk, string]>([
    ['an item has no end', 3, chunk('ssp'), '2 of 3 items have ended.'],
    ['more have ended than there are', 1, chunk('ss'), '2 of 1 items have ended.'],
    ['a state is missing', 2, chunk('ss', { items: 3 }), 'Chunks whose counters and items disagree: 1.'],
    ['successes disagree', 2, chunk('sf', { succeeded: 2, failed: 0 }), 'disagree: 1.'],
    ['failures disagree', 2, chunk('fs', { failed: 2, succeeded: 0 }), 'disagree: 1.'],
    ['cancelled ones disagree', 3, chunk('ccs', { cancelled: 1, succeeded: 2 }), 'disagree: 1.'],
    ['only cancelled ones disagree', 3, chunk('cs', { cancelled: 2 }), 'disagree: 1.'],
    ['only expired ones disagree', 3, chunk('es', { expired: 2 }), 'disagree: 1.'],
  ])('do not where %s', (_, items, of, detail) => {
    expect(countsAddUp(items, [of])).toMatchObject({ passed: false, detail: expect.stringContaining(detail) })
  })
})
