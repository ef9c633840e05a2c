import { describe, expect, it } from 'vitest'
import { codeOf, failureOf } from './failure.ts'

describe('an exception of Workers AI', () => {
  it.each([
    [3003, 'invalid_input'],
    [3006, 'input_too_large'],
    [3007, 'timeout'],
    [3008, 'timeout'],
    [3023, 'permission_denied'],
    [3036, 'rate_limited'],
    [3039, 'model_not_found'],
    [3040, 'provider_overloaded'],
    [3041, 'permission_denied'],
    [3042, 'model_not_found'],
    [5004, 'invalid_input'],
    [5005, 'model_not_found'],
    [5006, 'invalid_input'],
    [5007, 'model_not_found'],
    [5016, 'permission_denied'],
    [5018, 'permission_denied'],
    [5019, 'permission_denied'],
    [5021, 'input_too_large'],
    [9999, 'provider_unavailable'],
  ])('with code %i is %s', (code, expected) => {
    expect(failureOf(new Error(`${code}: Something is wrong.`))).toMatchObject({ class: expected })
  })

  it.each([
    ['no code', new Error('Network connection lost.')],
    ['a page in the place of an error', new Error('<html>502 Bad Gateway</html>')],
    ['undefined', new Error('undefined: undefined')],
    ['no message', new Error()],
    ['no error at all', 'a string'],
  ])('with %s is provider_unavailable', (_, error) => {
    expect(failureOf(error)).toMatchObject({ class: 'provider_unavailable' })
  })

  it('costs nothing, save where nobody knows', () => {
    expect(failureOf(new Error('3040: x'))).toMatchObject({ usage: null })
    expect(failureOf(new Error('3007: x'))).toMatchObject({ usage: 'unknown' })
  })

  it.each([
    ['3040: Capacity temporarily exceeded, please try again.', '3040'],
    ['InferenceUpstreamError: 3040: Capacity temporarily exceeded', '3040'],
    ['Error: AiError: 5007: No such model', '5007'],
    ['The text said 3040: so', null],
    ['30: x', null],
  ])('%s has the code %s', (message, code) => {
    expect(codeOf(message)).toBe(code)
  })
})
