import { describe, expect, it } from 'vitest'
import { priceOf, prices, units } from './prices.ts'
import { gbSeconds, sheetOf, sum, totalOf } from './sheet.ts'
import { contentBy, storedBy } from './times.ts'

describe('the priced sheet', () => {
  it.each([
    ['object_rows_written', 22, 22],
    ['queue_operations', 9, 3.6],
    ['object_requests', 7, 1.05],
    ['worker_requests', 4, 1.2],
    ['r2_class_a', 1, 4.5],
    ['object_storage_gb_months', 0.000004, 0.8],
  ] as const)('takes %s times its price: %d each are %d USD a million', (unit, each, usd) => {
    expect(totalOf(sheetOf({ [unit]: each }))).toBeCloseTo(usd, 9)
  })

  it('has a line for each unit that is used, the dearest first', () => {
    const lines = sheetOf({ log_events: 1, object_rows_written: 20, r2_class_a: 0 })

    expect(lines.map(({ unit }) => unit)).toEqual(['object_rows_written', 'log_events'])
  })

  it('knows a price of each unit', () => {
    for (const unit of units) expect(priceOf(unit, prices[unit].per)).toBe(prices[unit].usd)
  })
})

describe('a sum', () => {
  it('takes each part as often as it is said to come', () => {
    const parts = [
      { counts: { log_events: 3, worker_requests: 1 }, times: 2 },
      { counts: { log_events: 10 }, times: 0.1 },
    ]

    expect(sum(parts)).toMatchObject({ log_events: 7, worker_requests: 2, r2_class_a: 0 })
  })
})

describe('the time that objects are active', () => {
  it('is that of calls one after another, of what follows them, of what ledgers send, and of alarms', () => {
    const used = {
      counts: { object_requests: 12 },
      calls: {
        'gateway ledger.acceptJob': { times: 10, medianMs: 40 },
        'gateway sendBatch': { times: 5, medianMs: 12 },
        'consumers d1': { times: 100, medianMs: 100 },
      },
    }

    expect(gbSeconds(used)).toBeCloseTo(((10 * 40 + 10 * 10 + 5 * 12 + 2 * 20) / 1000) * 0.128, 9)
  })
})

describe('what is kept', () => {
  it('counts each part for its days', () => {
    const sizes = { whole: 4e9, withoutContent: 2e9, withoutEvents: 1e9 }

    expect(storedBy(sizes)).toBeCloseTo((4 * 7 + 2 * 23 + 1 * 74) / 30, 9)
    expect(contentBy(30e9)).toBeCloseTo(7, 9)
  })
})
