import { describe, expect, it } from 'vitest'
import { isIdle, roundOf, type Work } from './round.ts'

const NOW = 1_000_000
const nothing: Work = {
  kind: 'work',
  model: 'embedded/hash-1',
  submit: [],
  poll: [],
  open: [],
  gather: [],
  callOff: [],
  waitMs: null,
}
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

describe('a round of a batch', () => {
  it('does what there is to do', () => {
    const work = { ...nothing, submit: [1], poll: [2], open: [3], gather: [4], callOff: [5] }

    expect(roundOf(work, new Map(), NOW)).toMatchObject({
      submit: [1],
      poll: [2],
      open: [3],
      gather: [4],
      callOff: [5],
    })
  })

  it('sends, opens and gathers a few chunks and polls many, so that the rest of the work gets its turn', () => {
    const all = numbers(50)
    const round = roundOf({ ...nothing, submit: all, open: all, gather: all, poll: all }, new Map(), NOW)

    expect(round).toMatchObject({
      submit: numbers(4),
      open: numbers(4),
      gather: numbers(4),
      poll: numbers(16),
    })
  })

  it('leaves out what was put off, and sends others in its place', () => {
    const putOff = new Map([
      [0, NOW + 1],
      [1, NOW],
    ])

    expect(roundOf({ ...nothing, submit: numbers(6) }, putOff, NOW).submit).toEqual([1, 2, 3, 4])
  })

  it('with nothing to do is idle, for as long as the ledger says', () => {
    const round = roundOf({ ...nothing, waitMs: 4321 }, new Map(), NOW)

    expect(isIdle(round)).toBe(true)
    expect(round.restMs).toBe(4321)
  })

  it.each([
    ['until the first of them may be tried', [2000, 7000], 2000],
    ['not too short', [1, 7000], 500],
    ['not too long', [400_000, 500_000], 30_000],
  ])('with all that is to be sent put off rests %s', (_, delays, expected) => {
    const putOff = new Map(delays.map((delay, chunk) => [chunk, NOW + delay]))
    const round = roundOf({ ...nothing, submit: [0, 1] }, putOff, NOW)

    expect(isIdle(round)).toBe(true)
    expect(round.restMs).toBe(expected)
  })

  it('that brings nothing on is not repeated at once', () => {
    expect(roundOf({ ...nothing, open: [1] }, new Map(), NOW).restMs).toBe(500)
  })
})
