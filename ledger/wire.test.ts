import { describe, expect, it } from 'vitest'
import { UsdLimit } from '../openapi/common.ts'
import { jobUrls, microUsd, moment, nullableTimestamp, timestamp, usd } from './wire.ts'

describe('on the wire', () => {
  it('a time is RFC 3339 in UTC, with milliseconds', () => {
    expect(timestamp(0)).toBe('1970-01-01T00:00:00.000Z')
    expect(timestamp(Date.UTC(2026, 10, 29, 21, 25, 3, 7))).toBe('2026-11-29T21:25:03.007Z')
  })

  it('a time that is missing is null, and the epoch is not missing', () => {
    expect([nullableTimestamp(null), nullableTimestamp(0)]).toEqual([null, '1970-01-01T00:00:00.000Z'])
  })

  it('a time that a query names may have an offset, and none is none', () => {
    const at = Date.UTC(2026, 10, 29, 21, 25, 3)

    expect(['2026-11-29T21:25:03Z', '2026-11-29T22:25:03+01:00', undefined].map(moment)).toEqual([
      at,
      at,
      null,
    ])
  })

  it.each([
    [0, '0'],
    [1, '0.000001'],
    [5, '0.000005'],
    [125, '0.000125'],
    [10_000, '0.01'],
    [300_000, '0.3'],
    [1_000_001, '1.000001'],
    [123_456_789_012, '123456.789012'],
  ])('%i micro-USD are %s USD in JSON', (microUsd, text) => {
    expect(JSON.stringify(usd(microUsd))).toBe(text)
  })

  it('the URLs of a job start with the base URL', () => {
    expect(jobUrls('https://api.gateway.dev', 'job_1')).toEqual({
      status_url: 'https://api.gateway.dev/v1/jobs/job_1',
      result_url: 'https://api.gateway.dev/v1/jobs/job_1/result',
    })
  })
})

describe('a limit in USD', () => {
  it.each([
    [0, 0],
    [0.000001, 1],
    [0.29, 290_000],
    [1.005, 1_005_000],
    [123_456.789012, 123_456_789_012],
    [1_000_000_000, 1_000_000_000_000_000],
  ])('of %d is taken to the micro-USD', (limit, micro) => {
    expect(microUsd(UsdLimit.parse(limit))).toBe(micro)
  })

  it('is taken for what has six decimals, though no binary fraction has', () => {
    for (let micro = 1; micro < 5_000_000; micro += 1009) {
      const limit = Number(`${Math.floor(micro / 1e6)}.${String(micro % 1e6).padStart(6, '0')}`)
      expect(microUsd(UsdLimit.parse(limit))).toBe(micro)
    }
  })

  it.each([1e-9, 0.0000005, 0.0150006, 0.1 + 0.2, -0.01, 1_000_000_000.01, 1e300])(
    'of %d is refused, not rounded',
    (limit) => {
      expect(UsdLimit.safeParse(limit).success).toBe(false)
    },
  )
})
