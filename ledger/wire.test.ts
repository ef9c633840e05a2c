import { describe, expect, it } from 'vitest'
import { jobUrls, moment, nullableTimestamp, timestamp, usd } from './wire.ts'

describe('on the wire', () => {
  it('a time is RFC 3339 in UTC, with milliseconds', () => {
    expect(timestamp(0)).toBe('1970-01-01T00:00:00.000Z')
    expect(timestamp(Date.UTC(2026, 10, 29, 21, 25, 3, 7))).toBe('2026-11-29T21:25:03.007Z')
  })

  it('a time that is missing is null, and the epoch is not missing', () => {
    expect([nullableTimestamp(null), nullableTimestamp(0)]).toEqual([null, '1970-01-01T00:00:00.000Z'])
  })

  it('a time that a query names has any offset, and none is none', () => {
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
