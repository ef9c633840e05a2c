import { describe, expect, it } from 'vitest'
import { parseIdempotencyKey } from './idempotency.ts'

describe('an idempotency key', () => {
  it.each([
    ['a UUID', '5f0c9b1e-6f0a-4c2e-9f43-2f6d3a0f7a10'],
    ['one character', 'k'],
    ['255 characters', 'k'.repeat(255)],
    ['every kind of character', 'AZaz09._~:-'],
    ['__proto__, a key like any other', '__proto__'],
    ['null, a key like any other', 'null'],
  ])('is the same bare and in quotes: %s', (_, key) => {
    expect(parseIdempotencyKey(key)).toBe(key)
    expect(parseIdempotencyKey(`"${key}"`)).toBe(key)
  })

  it('keeps its case', () => {
    expect(parseIdempotencyKey('Key')).not.toBe(parseIdempotencyKey('key'))
  })

  it.each([
    ['empty', ''],
    ['empty in quotes', '""'],
    ['of 256 characters', 'k'.repeat(256)],
    ['of 256 characters in quotes', `"${'k'.repeat(256)}"`],
    ['a list of two, as two headers make it', 'a, b'],
    ['a list of two in quotes', '"a", "b"'],
    ['a key with a comma', 'a,b'],
    ['quoted on one side only', '"a'],
    ['quoted twice', '""a""'],
    ['in single quotes', "'a'"],
    ['a key with parameters', '"a";b=1'],
    ['with a space', 'a b'],
    ['with space around it', ' a '],
    ['with a line break at its end', 'a\n'],
    ['with an escape', '"a\\"b"'],
    ['with a slash', 'a/b'],
    ['with percent-encoding', 'a%20b'],
    ['of letters beyond ASCII', 'schlüssel'],
    ['of full-width letters', 'ｋｅｙ'],
    ['an emoji', '🔑'],
    ['a null character', 'a\u0000'],
  ])('is refused when it is %s', (_, header) => {
    expect(parseIdempotencyKey(header)).toBeNull()
  })
})
