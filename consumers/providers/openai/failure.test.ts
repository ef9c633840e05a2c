import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai'
import { describe, expect, it } from 'vitest'
import { classOf, failureOf, LostConnection } from './failure.ts'

const now = Date.UTC(2026, 10, 30)

const refused = (status: number, error: object | undefined, headers: Record<string, string> = {}) =>
  APIError.generate(status, error && { error }, 'no body', new Headers(headers))

describe("a refusal of OpenAI's", () => {
  it.each([
    [300, null, 'provider_unavailable'],
    [302, null, 'provider_unavailable'],
    [400, null, 'invalid_input'],
    [400, 'invalid_value', 'invalid_input'],
    [400, 'context_length_exceeded', 'input_too_large'],
    [400, 'string_above_max_length', 'input_too_large'],
    [400, 'content_policy_violation', 'content_filtered'],
    [400, 'content_filter', 'content_filtered'],
    [400, 'constructor', 'invalid_input'],
    [401, 'invalid_api_key', 'permission_denied'],
    [403, null, 'permission_denied'],
    [403, 'unsupported_country_region_territory', 'permission_denied'],
    [404, 'model_not_found', 'model_not_found'],
    [404, null, 'model_not_found'],
    [408, null, 'timeout'],
    [409, null, 'provider_unavailable'],
    [413, null, 'input_too_large'],
    [418, null, 'provider_unavailable'],
    [422, null, 'invalid_input'],
    [429, null, 'rate_limited'],
    [429, 'rate_limit_exceeded', 'rate_limited'],
    [429, 'insufficient_quota', 'permission_denied'],
    [500, null, 'provider_unavailable'],
    [502, null, 'provider_unavailable'],
    [503, null, 'provider_unavailable'],
    [503, 'overloaded_error', 'provider_overloaded'],
    [503, 'slow_down', 'provider_overloaded'],
    [504, null, 'provider_unavailable'],
    [521, null, 'provider_unavailable'],
    [524, null, 'timeout'],
    [529, null, 'provider_overloaded'],
  ])('with status %i and code %s is %s', (status, code, expected) => {
    expect(classOf({ status, code })).toBe(expected)
    expect(failureOf(refused(status, { code, type: 'x', message: 'y' }), now)).toMatchObject({
      class: expected,
    })
  })

  it.each([
    [429, 'insufficient_quota', 'permission_denied'],
    [503, 'overloaded_error', 'provider_overloaded'],
    [400, 'invalid_request_error', 'invalid_input'],
  ])('with status %i and type %s is %s', (status, type, expected) => {
    expect(classOf({ status, type })).toBe(expected)
  })

  it('that says in words only that it is overloaded is so', () => {
    const error = refused(503, { message: 'The engine is currently overloaded, please try again later' })

    expect(failureOf(error, now)).toMatchObject({ class: 'provider_overloaded' })
  })

  it('needs no body', () => {
    expect(failureOf(refused(502, undefined), now)).toMatchObject({ class: 'provider_unavailable' })
  })

  it('keeps the ID of the request and the time that was asked for', () => {
    const error = refused(429, {}, { 'x-request-id': 'req_1', 'retry-after': '3' })

    expect(failureOf(error, now)).toEqual({
      kind: 'failed',
      class: 'rate_limited',
      retryAfterMs: 3000,
      usage: null,
      providerRequestId: 'req_1',
    })
  })
})

describe('an exception', () => {
  it.each([
    ['of a connection that was refused', new APIConnectionError({ message: 'x' }), null],
    ['of a connection that took too long', new APIConnectionTimeoutError(), null],
    ['of a connection that broke off, after which the cost is unknown', new LostConnection(), 'unknown'],
  ])('%s is a provider that is unavailable', (_, error, usage) => {
    expect(failureOf(error, now)).toMatchObject({ class: 'provider_unavailable', usage })
  })

  it.each([
    ['of our own abortion', new APIUserAbortError()],
    ['of our own code', new TypeError('x')],
  ])('%s is not the provider’s', (_, error) => {
    expect(failureOf(error, now)).toBeNull()
  })
})
