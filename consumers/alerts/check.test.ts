import { describe, expect, it } from 'vitest'
import { thresholdsOf } from './check.ts'

describe('the variable ALERT_THRESHOLDS', () => {
  it('has a default for each that it does not name', () => {
    const { stalled_batches, failure_rate } = thresholdsOf({ ALERT_THRESHOLDS: '{"stalled_batches":5}' })

    expect([stalled_batches, failure_rate]).toEqual([5, 0.2])
  })

  it.each([
    ['is missing', undefined],
    ['is no JSON', '{stalled_batches:5}'],
    ['names what is none', '{"stalled":5}'],
  ])('fails loudly when it %s', (_, ALERT_THRESHOLDS) => {
    expect(() => thresholdsOf({ ALERT_THRESHOLDS })).toThrow('missing or wrong: ALERT_THRESHOLDS')
  })
})
