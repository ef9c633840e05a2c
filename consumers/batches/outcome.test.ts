import { describe, expect, it } from 'vitest'
import type { KindName } from '../../catalog/kind.ts'
import { findModel } from '../../catalog/models.ts'
import { isFoundedIn, outcomeOf } from './outcome.ts'

/** What an item comes to whose only answer has this output. */
function outcome(kind: KindName, input: unknown, output: unknown) {
  const model = findModel('embedded/hash-1')
  if (!model) throw new Error('No such model.')
  const item = { position: 0, index: 0, reference: 'r0', key: 'k', input }
  const answer = { reference: 'k', index: 0, kind: 'completed', output, usage: null } as const
  return outcomeOf({ kind, model, params: {}, items: [item] }, item, {
    answers: [answer],
    contradicts: false,
  })
}

const text = { text: 'All human beings are born free.' }
const summary = (output: unknown) => outcome('summarize', text, output)

describe('an output', () => {
  it('is taken as the contract of its kind has it, without what else came', () => {
    expect(summary({ summary: 'Born free.', thoughts: 'Hm.' })).toEqual({
      status: 'succeeded',
      output: { summary: 'Born free.' },
      founded: true,
    })
  })

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a blank text', ' \n'],
    ['a form around a blank text', { summary: ' ' }],
    ['a list of nothing', []],
    ['a form around a form around nothing', { summary: { text: '' } }],
  ])('that is %s is empty', (_, output) => {
    expect(summary(output)).toEqual({ status: 'failed', class: 'invalid_output', fault: 'empty' })
  })

  it.each<[string, unknown]>([
    ['a number', 0],
    ['more forms than there can be', { a: { b: { c: '' } } }],
    ['forms without an end', JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)],
  ])('that is %s is invalid', (_, output) => {
    expect(summary(output)).toEqual({ status: 'failed', class: 'invalid_output', fault: 'invalid' })
  })

  it('that is no summary is not held against its input', () => {
    const output = { label: 'invoice', scores: [{ label: 'invoice', score: 1 }] }

    expect(isFoundedIn('classify', output, { text: 'A bill.', labels: ['invoice', 'letter'] })).toBe(true)
  })

  it('that summarises a file is not held against a text that is not there', () => {
    expect(isFoundedIn('summarize', { summary: 'Paris, 1948.' }, { file_id: 'file_1' })).toBe(true)
  })
})
