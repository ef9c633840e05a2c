import { describe, expect, it } from 'vitest'
import { classify } from './classify.ts'

const input = { text: 'x', labels: ['a', 'b', 'c'] }
const output = (...scores: [string, number][]) => ({
  labels: scores.map(([label, score]) => ({ label, score })),
})

describe('a classification', () => {
  it.each([
    ['best first', output(['b', 0.5], ['a', 0.3], ['c', 0.2])],
    ['equal', output(['a', 1 / 3], ['b', 1 / 3], ['c', 1 / 3])],
    ['certain', output(['a', 1], ['b', 0], ['c', 0])],
  ])('holds with a score for each label: %s', (_, scored) => {
    expect(classify.verify(scored, input, {})).toEqual({ ok: true, output: scored })
  })

  it.each([
    ['a label is missing', output(['a', 0.6], ['b', 0.4]), 'Not one score for each label.'],
    [
      'a label comes again in place of another',
      output(['a', 0.5], ['b', 0.3], ['b', 0.2]),
      'Not one score for each label.',
    ],
    [
      'a label comes again besides all others',
      output(['a', 0.5], ['b', 0.2], ['b', 0.2], ['c', 0.1]),
      'Not one score for each label.',
    ],
    ['a label is new', output(['a', 0.5], ['b', 0.3], ['d', 0.2]), 'Not one score for each label.'],
    ['a score is below 0', output(['a', 1], ['b', 0.1], ['c', -0.1]), 'A score is not between 0 and 1.'],
    ['a score is above 1', output(['a', 1.1], ['b', 0], ['c', 0]), 'A score is not between 0 and 1.'],
    ['the best is not first', output(['a', 0.3], ['b', 0.5], ['c', 0.2]), 'Not best first.'],
    [
      'the scores sum to less than 1',
      output(['a', 0.5], ['b', 0.3], ['c', 0.1]),
      'The scores do not sum to 1.',
    ],
    [
      'the scores sum to more than 1',
      output(['a', 0.9], ['b', 0.3], ['c', 0.1]),
      'The scores do not sum to 1.',
    ],
  ])('does not hold when %s', (_, scored, fault) => {
    expect(classify.verify(scored, input, {})).toEqual({ ok: false, fault })
  })
})
