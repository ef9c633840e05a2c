import { describe, expect, it } from 'vitest'
import { bodyError, connectionError, judge, type Presence } from './outcome.ts'

const late = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
const lost = new Error('Network connection lost.')
const internal = new Error('internal error; reference = 3o987es8v7msame49d4maakf')

describe('a status', () => {
  it.each([
    [101, 'http_status'],
    [199, 'http_status'],
    [200, null],
    [201, null],
    [202, null],
    [204, null],
    [299, null],
    [300, 'redirect'],
    [301, 'redirect'],
    [302, 'redirect'],
    [304, 'redirect'],
    [307, 'redirect'],
    [308, 'redirect'],
    [399, 'redirect'],
    [400, 'http_status'],
    [410, 'http_status'],
    [429, 'http_status'],
    [500, 'http_status'],
    [503, 'http_status'],
    [519, 'http_status'],
    [527, 'http_status'],
    [529, 'http_status'],
    [600, 'http_status'],
    [999, 'http_status'],
  ])('of a receiver, %i, has the error %s', (status, error) => {
    expect(judge(status, null)).toEqual({ status_code: status, error })
  })

  it.each([
    [520, 'connection_reset'],
    [521, 'connection_refused'],
    [522, 'connection_timed_out'],
    [523, 'unreachable'],
    [524, 'timeout'],
    [525, 'tls_failed'],
    [526, 'tls_failed'],
    [530, 'dns_failed'],
  ])('that the platform makes up, %i, is none: %s', (status, error) => {
    expect(judge(status, null)).toEqual({ status_code: null, error })
    expect(judge(status, 'response_broken').error).toBe(error)
  })

  it.each([
    [200, 'response_broken'],
    [299, 'response_broken'],
    [302, 'redirect'],
    [410, 'http_status'],
    [503, 'http_status'],
  ])('%i with a body that breaks off has the error %s', (status, error) => {
    expect(judge(status, 'response_broken')).toEqual({ status_code: status, error })
  })
})

describe('a body that cannot be read to its end', () => {
  it.each([
    ['took too long', late, 'response_timeout'],
    ['was cut', lost, 'response_broken'],
    ['cannot be decoded', new TypeError('Gzip decompression failed.'), 'response_broken'],
    ['threw what is no error', 'boom', 'response_broken'],
  ])('that %s', (_, thrown, error) => {
    expect(bodyError(thrown)).toBe(error)
  })
})

describe('a connection that fails', () => {
  it.each<[string, unknown, string, Presence, string]>([
    ['that is lost where something listens', lost, 'http:', 'present', 'connection_reset'],
    ['that is lost where nothing listens', lost, 'https:', 'absent', 'connection_refused'],
    ['that is lost where nobody looked', lost, 'https:', 'unknown', 'connection_reset'],
    ['that never came about where something listens', internal, 'https:', 'present', 'tls_failed'],
    ['that never came about without TLS', internal, 'http:', 'present', 'connection_failed'],
    ['to a name that nothing stands for', internal, 'https:', 'absent', 'dns_failed'],
    ['to such a name without TLS', internal, 'http:', 'absent', 'dns_failed'],
    ['for a reason that nobody knows', internal, 'https:', 'unknown', 'connection_failed'],
    ['by what is no error', 'boom', 'https:', 'unknown', 'connection_failed'],
  ])('%s', async (_, thrown, protocol, presence, error) => {
    expect(await connectionError(thrown, protocol, async () => presence)).toBe(error)
  })

  it('by taking too long is not looked into', async () => {
    const look = () => Promise.reject(new Error('Looked.'))

    expect(await connectionError(late, 'https:', look)).toBe('timeout')
  })
})
