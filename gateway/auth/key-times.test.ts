import { describe, expect, it } from 'vitest'
import { publishedAt, signingAt } from './key-times.ts'

const NOW = 1_800_000_000_000
const MINUTE = 60_000
const key = (kid: string, useFrom: number) => ({ kid, useFrom })
const kids = (keys: { kid: string }[]) => keys.map(({ kid }) => kid)

describe('the key that signs', () => {
  const [old, current, next] = [key('old', 0), key('current', NOW - MINUTE), key('next', NOW + MINUTE)]

  it('is the youngest whose time has come, in whatever order they are listed', () => {
    expect(signingAt([next, old, current], NOW)).toBe(current)
    expect(signingAt([old, current, next], NOW + MINUTE - 1)).toBe(current)
    expect(signingAt([old, current, next], NOW + MINUTE)).toBe(next)
  })

  it('is the first of those without a time', () => {
    expect(signingAt([key('a', 0), key('b', 0)], NOW)).toMatchObject({ kid: 'a' })
  })

  it('is the next one where the time of none has come', () => {
    expect(signingAt([key('later', NOW + 2), key('soon', NOW + 1)], NOW)).toMatchObject({ kid: 'soon' })
  })

  it('is missing from an empty list', () => {
    expect(signingAt([], NOW)).toBeUndefined()
  })
})

describe('a key', () => {
  const keys = [key('old', 0), key('new', NOW)]

  it('is published before it signs', () => {
    expect(kids(publishedAt(keys, NOW - 1000 * MINUTE))).toEqual(['old', 'new'])
  })

  it('is accepted until the last token that it may have signed has ended, and is gone then', () => {
    expect(kids(publishedAt(keys, NOW + 15 * MINUTE))).toEqual(['old', 'new'])
    expect(kids(publishedAt(keys, NOW + 17 * MINUTE))).toEqual(['new'])
  })

  it('without a younger one is never gone', () => {
    expect(kids(publishedAt([key('a', 0), key('b', 0)], NOW))).toEqual(['a', 'b'])
  })
})
