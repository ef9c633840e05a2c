import { describe, expect, it } from 'vitest'
import { lastDeletionAt } from './retention.ts'

const minutes = (n: number) => n * 60_000

describe('what an attempt may have left is deleted for the last time', () => {
  it.each([
    ['now, when the attempt is long over', 0, 100, 100],
    ['now, when the attempt has just had its time', 80, 100, 100],
    ['later, when the attempt may go on', 81, 100, 105],
    ['later, when the attempt has just begun', 100, 100, 120],
    ['in a round with others', 101, 101, 125],
  ])('%s', (_, attemptAt, now, expected) => {
    expect(lastDeletionAt(minutes(attemptAt), minutes(now))).toBe(minutes(expected))
  })
})
