import { describe, expect, it } from 'vitest'
import { usageOf } from './answers.ts'

const counted = (inputTokens: number, outputTokens: number) => ({ usage: { inputTokens, outputTokens } })

describe('the usage of a chunk that its provider counts item by item', () => {
  it('is that of its items together, of which some did nothing', () => {
    expect(usageOf([counted(1, 2), { usage: null }, counted(3, 4)])).toEqual({
      inputTokens: 4,
      outputTokens: 6,
    })
  })

  it('is unknown where that of one is', () => {
    expect(usageOf([counted(1, 2), { usage: 'unknown' }, counted(3, 4)])).toBe('unknown')
  })
})
