import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countEnded,
  endOne,
  endPending,
  numbersOf,
  pendingPlaces,
  placeIn,
  runsOf,
  takeAnswers,
} from './statuses.ts'

const statuses = fc.string({ unit: fc.constantFrom('p', 's', 'f', 'c', 'e'), maxLength: 50 })
const total = (text: string) => Object.values(countEnded(text)).reduce((sum, count) => sum + count, 0)

describe('the states of items', () => {
  it('count every item once', () => {
    fc.assert(
      fc.property(statuses, (text) => {
        expect(total(text) + pendingPlaces(text).length).toBe(text.length)
      }),
    )
  })

  it('change where an item is pending, and nowhere else', () => {
    fc.assert(
      fc.property(statuses, statuses, (before, answers) => {
        const answered = answers.replaceAll('p', 's').padEnd(before.length, 'f')

        for (const after of [endPending(before, 'e'), takeAnswers(before, answered)]) {
          expect(after).toHaveLength(before.length)
          expect(pendingPlaces(after)).toEqual([])
          for (const [at, status] of Array.from(before).entries())
            if (status !== 'p') expect(after[at]).toBe(status)
        }
      }),
    )
  })

  it('end one by one, each once', () => {
    expect(endOne('ppp', 1, 's')).toBe('psp')
    expect(endOne('psp', 1, 'f')).toBeNull()
    expect(endOne('psp', 3, 'f')).toBeNull()
  })
})

describe('runs', () => {
  const numbers = fc.uniqueArray(fc.nat(200)).map((all) => all.toSorted((a, b) => a - b))

  it('stand for the numbers that they were made of, and give each its place', () => {
    fc.assert(
      fc.property(numbers, (all) => {
        const runs = runsOf(all)

        expect(numbersOf(runs)).toEqual(all)
        expect(all.map((number) => placeIn(runs, number))).toEqual(all.map((_, at) => at))
      }),
    )
  })

  it('give no place to a number that is in none of them', () => {
    expect(
      [0, 4, 9].map((number) =>
        placeIn(
          [
            [1, 3],
            [7, 2],
          ],
          number,
        ),
      ),
    ).toEqual([null, null, null])
  })
})
