import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ItemAnswer } from '../batch-provider.ts'
import { matchAnswers } from './matching.ts'

const keys = ['a', 'b', 'c']

const answer = (reference: string | null, index: number | null = null): ItemAnswer => ({
  reference,
  index,
  kind: 'completed',
  output: `${reference} ${index}`,
  usage: null,
})

/** Of each item: the outputs that are its own, and whether they contradict themselves; then how many are no item's. */
const matched = (...answers: ItemAnswer[]) => {
  const { matches, unknown } = matchAnswers(keys, answers)
  const told = matches.map(({ answers: ofItem, contradicts }) =>
    [ofItem.length, ...(contradicts ? ['!'] : [])].join(''),
  )
  return [...told, unknown]
}

describe('answers belong to items', () => {
  it.each<[string, ItemAnswer[], unknown[]]>([
    ['by their key', [answer('a'), answer('b'), answer('c')], ['1', '1', '1', 0]],
    ['by their key in any order', [answer('c', 2), answer('a', 0), answer('b', 1)], ['1', '1', '1', 0]],
    ['not when there are none', [], ['0', '0', '0', 0]],
    ['not by a key of another chunk', [answer('a'), answer('x'), answer('y', 1)], ['1', '0', '0', 2]],
    ['each of them, when a key comes twice', [answer('a'), answer('a'), answer('b')], ['2', '1', '0', 0]],
    ['by index where no keys are echoed', [answer(null, 2), answer(null, 0)], ['1', '0', '1', 0]],
    ['by index beside keys that agree with theirs', [answer('a', 0), answer(null, 2)], ['1', '0', '1', 0]],
    [
      'not by an index out of range',
      [answer(null, 3), answer(null, -1), answer(null, 0.5)],
      ['0', '0', '0', 3],
    ],
    ['not without key and index', [answer(null), answer('b')], ['0', '1', '0', 1]],
    ['in doubt, when index and key contradict', [answer('a', 1), answer('c', 2)], ['1!', '0', '1', 0]],
    ['not by index where one contradicts', [answer('a', 1), answer(null, 2)], ['1!', '0', '0', 1]],
    [
      'by index beside a foreign key, whatever its index',
      [answer('x', 1), answer(null, 2)],
      ['0', '0', '1', 1],
    ],
  ])('%s', (_, answers, expected) => {
    expect(matched(...answers)).toEqual(expected)
  })

  it('whatever they are, each to one or to none', () => {
    const anyAnswer = fc
      .tuple(fc.constantFrom('a', 'b', 'c', 'x', null), fc.constantFrom(0, 1, 2, 3, null))
      .map(([reference, index]) => answer(reference, index))
    fc.assert(
      fc.property(fc.array(anyAnswer, { maxLength: 8 }), (answers) => {
        const { matches, unknown } = matchAnswers(keys, answers)

        const placed = matches.flatMap((match) => match.answers)
        expect(new Set(placed).size).toBe(placed.length)
        expect(placed.length + unknown).toBe(answers.length)
        for (const [place, match] of matches.entries())
          for (const { reference, index } of match.answers)
            expect([keys[place], null]).toContain(reference ?? (index === place ? null : 'x'))
      }),
    )
  })
})
