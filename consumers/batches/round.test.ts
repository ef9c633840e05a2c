import { describe, expect, it } from 'vitest'
import { isIdle, roundOf, type Work } from './round.ts'
import type { Standing } from './under-way.ts'

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
const still: Standing = { underWay: [], putOff: [] }
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

describe('a round of a batch', () => {
  it('does what there is to do', () => {
    const work = { ...nothing, submit: [1], poll: [2], open: [3], gather: [4], callOff: [5] }

    expect(roundOf(work, still, NOW)).toMatchObject({
      submit: [1],
      poll: [2],
      open: [3],
      gather: [4],
      callOff: [5],
    })
  })

  it('sends, opens and gathers a few chunks and polls many, so that the rest of the work gets its turn', () => {
    const all = numbers(50)
    const round = roundOf({ ...nothing, submit: all, open: all, gather: all, poll: all }, still, NOW)

    expect(round).toMatchObject({
      submit: numbers(4),
      open: numbers(4),
      gather: numbers(4),
      poll: numbers(16),
    })
  })

  it('leaves out what was put off, and sends others in its place', () => {
    const putOff = [
      [0, NOW + 1],
      [1, NOW],
    ] as const
    const round = roundOf({ ...nothing, submit: numbers(6) }, { ...still, putOff }, NOW)

    expect(round.submit).toEqual([1, 2, 3, 4])
  })

  it('begins only what is not under way, and no more than a few at once', () => {
    const work = { ...nothing, submit: numbers(6) }

    expect(roundOf(work, { ...still, underWay: [0, 2] }, NOW).submit).toEqual([1, 3])
    expect(roundOf(work, { ...still, underWay: [0, 1, 2, 3] }, NOW).submit).toEqual([])
    // Those that an operator made run singly meanwhile.
    expect(roundOf(work, { ...still, underWay: [10, 11, 12] }, NOW).submit).toEqual([0])
  })

  it('is repeated after a while at the latest as long as submissions are under way', () => {
    const hanging = { ...still, underWay: [0] }

    expect(roundOf({ ...nothing, submit: [0] }, hanging, NOW)).toMatchObject({ beside: true, restMs: 2000 })
    expect(roundOf({ ...nothing, waitMs: 60_000 }, hanging, NOW)).toMatchObject({
      beside: true,
      restMs: 2000,
    })
    expect(roundOf({ ...nothing, submit: [0] }, still, NOW)).toMatchObject({ beside: true, restMs: 2000 })
    expect(roundOf({ ...nothing, waitMs: 60_000 }, still, NOW)).toMatchObject({ beside: false })
  })

  it('with nothing to do is idle, for as long as the ledger says', () => {
    const round = roundOf({ ...nothing, waitMs: 4321 }, still, NOW)

    expect(isIdle(round)).toBe(true)
    expect(round.restMs).toBe(4321)
  })

  it.each([
    ['until the first of them may be tried', [2000, 7000], 2000],
    ['not too short', [1, 7000], 500],
    ['not too long', [400_000, 500_000], 30_000],
  ])('with all that is to be sent put off rests %s', (_, delays, expected) => {
    const putOff = delays.map((delay, chunk) => [chunk, NOW + delay] as const)
    const round = roundOf({ ...nothing, submit: [0, 1] }, { ...still, putOff }, NOW)

    expect(isIdle(round)).toBe(true)
    expect(round.restMs).toBe(expected)
  })

  it('that brings nothing on is not repeated at once', () => {
    expect(roundOf({ ...nothing, open: [1] }, still, NOW).restMs).toBe(500)
  })
})
