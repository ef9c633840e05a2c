import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type KindName, kindNames } from '../../catalog/kind.ts'
import type { ItemAnswer } from '../batch-provider.ts'
import { chunkOf, completed, failure, nothing, summary, text, texts, verified } from './verify.fixture.ts'
import { verifyChunk } from './verify.ts'

describe('the answer to a chunk', () => {
  it.each<[string, ItemAnswer[], string, object, object]>([
    ['one is missing', [summary(0), summary(2)], 'sfs', { 1: 'missing_result' }, { missing: ['r1'] }],
    [
      'one comes twice',
      [summary(0), summary(1), summary(1), summary(2)],
      'sfs',
      { 1: 'duplicate_result' },
      { duplicate: ['r1'] },
    ],
    [
      'one comes in the place of another',
      [summary(0), summary(0), summary(2)],
      'ffs',
      { 0: 'duplicate_result', 1: 'missing_result' },
      { duplicate: ['r0'], missing: ['r1'] },
    ],
    ['one is foreign', [summary(0), summary(1), summary(7), summary(2)], 'sss', {}, { unknown: 1 }],
    [
      'there are more than items',
      [summary(0), summary(1), summary(2), summary(3), summary(4)],
      'sss',
      {},
      { unknown: 2 },
    ],
    [
      'one was given as done, and is empty',
      [summary(0), completed(1, { summary: ' ' }), completed(2, null)],
      'sff',
      { 1: 'invalid_output', 2: 'invalid_output' },
      { empty: ['r1', 'r2'] },
    ],
    [
      'one breaks the contract of its kind',
      [summary(0), summary(1), completed(2, { text: 'Born free.' })],
      'ssf',
      { 2: 'invalid_output' },
      { invalid: ['r2'] },
    ],
    [
      'one echoes what was asked',
      [summary(0), summary(1), completed(2, { text })],
      'ssf',
      { 2: 'invalid_output' },
      { invalid: ['r2'] },
    ],
    [
      'one has the index of another',
      [summary(0), { ...summary(1), index: 2 }, summary(2)],
      'sfs',
      { 1: 'invalid_output' },
      { invalid: ['r1'] },
    ],
    [
      'none has a key, and each an index',
      [2, 0, 1].map((place) => ({ ...summary(place), reference: null })),
      'sss',
      {},
      {},
    ],
    [
      'a summary holds a number that its input does not',
      [summary(0), completed(1, { summary: 'Born free in 1948.' }), summary(2)],
      'sss',
      {},
      { unfounded: ['r1'] },
    ],
  ])('is checked item by item: %s', (_, answers, statuses, errors, findings) => {
    expect(verified(chunkOf('summarize', texts(3)), answers)).toMatchObject({
      statuses,
      errors,
      findings: { ...nothing, ...findings },
    })
  })

  it.each<[string, ItemAnswer[]]>([
    ['is about other items', [summary(7), summary(8)]],
    ['has neither keys nor indexes', [{ ...summary(0), reference: null, index: null }]],
    [
      'contradicts itself throughout',
      [
        { ...summary(0), index: 1 },
        { ...summary(1), index: 0 },
      ],
    ],
    ['has nothing but empty outputs', [completed(0, ''), completed(1, {})]],
    ['has another shape throughout', [completed(0, 'Born free.'), completed(1, { response: 'Born free.' })]],
  ])('is not to be understood when it %s', (_, answers) => {
    expect(verifyChunk(chunkOf('summarize', texts(2)), answers)).toEqual({ kind: 'invalid_output' })
  })

  it.each<[string, ItemAnswer[]]>([
    ['each item failed', [failure(0, 'timeout'), failure(1, 'timeout')]],
    ['each item has two results', [summary(0), summary(0), summary(1), summary(1)]],
  ])('is understood when %s', (_, answers) => {
    expect(verifyChunk(chunkOf('summarize', texts(2)), answers)).toMatchObject({ statuses: 'ff' })
  })

  it('without results lacks one for each item', () => {
    expect(verified(chunkOf('summarize', texts(2)), [])).toMatchObject({
      statuses: 'ff',
      errors: { 0: 'missing_result', 1: 'missing_result' },
      findings: { ...nothing, missing: ['r0', 'r1'] },
    })
  })

  it('never counts what is of no known shape as a success', () => {
    const inputs: Record<KindName, unknown> = {
      summarize: { text },
      embed: { texts: [text] },
      classify: { text, labels: ['a', 'b'] },
      report: { sources: [{ title: 'One', text }] },
      transcribe: { file_id: 'file_1' },
    }
    fc.assert(
      fc.property(fc.constantFrom(...kindNames), fc.jsonValue(), (kind, output) => {
        expect(verifyChunk(chunkOf(kind, [inputs[kind]]), [completed(0, output)])).toEqual({
          kind: 'invalid_output',
        })
      }),
    )
  })
})
