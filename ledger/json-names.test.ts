import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { disputedName } from './json-names.ts'

const TWICE = 'This name is there twice.'
const NOT_ALLOWED = 'This name is not allowed.'

describe('a name that parsers fight over', () => {
  it.each([
    ['{"a":1,"a":1}', '/a', TWICE],
    ['{"a":1,"\\u0061":2}', '/a', TWICE],
    ['{"a\\"":1,"b":2,"a\\"":3}', '/a"', TWICE],
    ['{"a\\\\":1,"a\\\\":3}', '/a\\', TWICE],
    ['{"":1,"":2}', '/', TWICE],
    ['{"a":{"b":1},"c":[{"x":1},2,[{"d":{},"d" \n:1}]]}', '/c/2/0/d', TWICE],
    ['{"a":{"b":1},"a":{"b":1}}', '/a', TWICE],
    ['[1,{"a/b":1,"a/b":2}]', '/1/a~1b', TWICE],
    ['{"constructor":1,"constructor":1}', '/constructor', TWICE],
    ['{"__proto__":1}', '/__proto__', NOT_ALLOWED],
    ['{"a":[0,{"\\u005f_proto\\u005F_":{}}]}', '/a/1/__proto__', NOT_ALLOWED],
    [`{"a":{"${'x'.repeat(500)}":{"__proto__":1}}}`, `/a/${'x'.repeat(128)}…/__proto__`, NOT_ALLOWED],
  ])('is found in %s', (json, pointer, detail) => {
    expect(disputedName(json)).toEqual({ pointer, detail })
  })

  it.each([
    '{"a":{"a":{"a":1}},"b":{"a":2}}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '{"a":["a","a","__proto__"],"b":"a"}',
    '{"a":"\\\\","b":"\\\\"}',
    '{"proto":1,"__proto":2,"constructor":3}',
    '{"A":1,"a":2}',
    '""',
    '0',
    '',
  ])('is not in %s', (json) => {
    expect(disputedName(json)).toBeNull()
  })

  it('is in nothing that was written from a value', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false, maxDepth: 6 }), (json) => {
        fc.pre(!json.includes('__proto__'))
        expect(disputedName(json)).toBeNull()
      }),
    )
  })

  it.each(['{"a', '"\\', '{"a":1}}}]', '{"\\u00":1,"\\u00":2}', ':::', '"a":"a":'])(
    'does not break over %s, which is no JSON',
    (text) => {
      expect(() => disputedName(text)).not.toThrow()
    },
  )

  it.each([
    ['nested', '{"a":1,"b":'.repeat(100_000)],
    ['full of quotes', '\\"'.repeat(500_000)],
    ['full of backslashes', `"${'\\'.repeat(1_000_001)}"`],
    ['full of objects', '{"a":1,"b":2},'.repeat(100_000)],
  ])('is looked for in one go, in a text that is %s', (_, text) => {
    expect(disputedName(text)).toBeNull()
  })
})
