import { describe, expect, it } from 'vitest'
import { type BatchStatus, batchStatuses } from '../../openapi/batch-states.ts'
import { advanceBatch, type BatchEvent, endingOf, isBatchOver } from './batch.ts'

const events: BatchEvent[] = ['begin', 'complete', 'complete_in_part', 'fail', 'expire', 'cancel', 'discard']

describe('a batch', () => {
  it.each<[BatchStatus, string]>([
    ['accepted', 'processing - - - expired cancelled -'],
    ['processing', '- completed partially_failed failed expired cancelled -'],
    ['completed', '- - - - - - discarded'],
    ['partially_failed', '- - - - - - discarded'],
    ['failed', '- - - - - - discarded'],
    ['expired', '- - - - - - discarded'],
    ['cancelled', '- - - - - - discarded'],
    ['discarded', '- - - - - - -'],
  ])('that is %s can become %s', (status, becomes) => {
    expect(events.map((event) => advanceBatch(status, event) ?? '-').join(' ')).toBe(becomes)
  })

  it('has ended unless it is accepted or processing', () => {
    expect(batchStatuses.filter((status) => !isBatchOver(status))).toEqual(['accepted', 'processing'])
  })

  it.each([
    ['complete', { succeeded: 3 }, 0],
    ['complete_in_part', { succeeded: 3 }, 1],
    ['complete_in_part', { succeeded: 1, failed: 2 }, 0],
    ['complete_in_part', { succeeded: 1, cancelled: 2 }, 0],
    ['fail', { failed: 3 }, 0],
    ['fail', { failed: 2, cancelled: 1 }, 0],
    ['expire', { succeeded: 2, expired: 1 }, 0],
    ['expire', { expired: 3 }, 1],
  ] as const)('ends by %s with %o and %i lines that were no items', (event, some, invalid) => {
    const counts = { total: 3, pending: 0, succeeded: 0, failed: 0, cancelled: 0, expired: 0, ...some }

    expect(endingOf(counts, invalid)).toBe(event)
  })
})
