import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type KindName, kindNames } from '../../catalog/kind.ts'
import { findModel, type Model } from '../../catalog/models.ts'
import { failureClasses } from '../../openapi/jobs.ts'
import type { ItemAnswer } from '../batch-provider.ts'
import { summarize } from '../providers/embedded/summarize.ts'
import { declaration } from '../providers/embedded/udhr.fixture.ts'
import { type CheckedChunk, verifyChunk } from './verify.ts'

const modelOf = (id: string): Model => {
  const model = findModel(id)
  if (!model) throw new Error(id)
  return model
}

const key = (place: number) => `${place}`.padStart(32, '0')

/** Items `r0`, `r1`, … that were sent as the chunk's, with indexes of their own in the batch. */
const chunkOf = (
  kind: KindName,
  inputs: readonly unknown[],
  rest: Partial<CheckedChunk> = {},
): CheckedChunk => ({
  kind,
  model: modelOf('test/priced'),
  params: {},
  items: inputs.map((input, place) => ({
    position: place,
    index: 100 + place,
    reference: `r${place}`,
    key: key(place),
    input,
  })),
  ...rest,
})

const completed = (place: number, output: unknown, rest: Partial<ItemAnswer> = {}): ItemAnswer =>
  ({ reference: key(place), index: place, kind: 'completed', output, usage: null, ...rest }) as ItemAnswer

const failure = (place: number, name: (typeof failureClasses)[number]): ItemAnswer => ({
  reference: key(place),
  index: place,
  kind: 'failed',
  class: name,
  usage: null,
})

const text = 'All human beings are born free.'
const texts = (count: number) => Array.from({ length: count }, () => ({ text }))
const summary = (place: number) => completed(place, { summary: 'Born free.' })

function verified(chunk: CheckedChunk, answers: readonly ItemAnswer[]) {
  const verdict = verifyChunk(chunk, answers)
  if (verdict.kind !== 'verified') throw new Error(verdict.kind)
  return {
    ...verdict,
    results: verdict.lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  }
}

const nothing = { unknown: 0, missing: [], duplicate: [], empty: [], invalid: [], unfounded: [] }

describe('the answer to a chunk', () => {
  it('is a line for each item in the order of the items, whatever its own', () => {
    const usage = { inputTokens: 8, outputTokens: 2 }
    const answers = [summary(2), failure(0, 'content_filtered'), { ...summary(1), usage }]

    const { statuses, errors, usages, findings, results } = verified(chunkOf('summarize', texts(3)), answers)

    expect([statuses, errors, usages]).toEqual(['fss', { 0: 'content_filtered' }, [null, [8, 2], null]])
    expect(findings).toEqual(nothing)
    expect(results).toEqual([
      {
        external_reference: 'r0',
        index: 100,
        status: 'failed',
        error: {
          class: 'content_filtered',
          message: 'The provider refused the content.',
          retryable: false,
        },
        usage: null,
      },
      {
        external_reference: 'r1',
        index: 101,
        status: 'succeeded',
        output: { summary: 'Born free.' },
        usage: { input_tokens: 8, output_tokens: 2, cost_usd: 0.01 },
      },
      {
        external_reference: 'r2',
        index: 102,
        status: 'succeeded',
        output: { summary: 'Born free.' },
        usage: null,
      },
    ])
  })

  it('has no usage by item where the provider counts none', () => {
    expect(verified(chunkOf('summarize', texts(1)), [summary(0)]).usages).toBeNull()
  })

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

  it('counts what both results of an item took', () => {
    const usage = { inputTokens: 5, outputTokens: 1 }
    const answers = [
      { ...summary(0), usage },
      { ...summary(0), usage },
    ]

    expect(verified(chunkOf('summarize', texts(1)), answers).usages).toEqual([[10, 2]])
  })

  it('tells failures in our own words', () => {
    const classes = failureClasses.map((name, place) => failure(place, name))
    const chunk = chunkOf('summarize', texts(classes.length + 1))

    const { results } = verified(chunk, classes)

    const messages = results.map(({ error }) => error.message)
    expect(new Set(messages).size).toBe(messages.length)
    for (const message of messages) expect(message).toMatch(/^The (?!job).+\.$/)
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

describe('embeddings of a chunk', () => {
  const vector = (dimensions: number, value: unknown = 0.1) => ({
    embeddings: [new Array(dimensions).fill(value)],
    dimensions,
  })
  const chunk = chunkOf('embed', [{ texts: ['a'] }, { texts: ['b'] }])
  const statusesOf = (output: unknown, asked = chunk) =>
    verified(asked, [failure(0, 'timeout'), completed(1, output)]).statuses

  it.each<[string, unknown, string]>([
    ['of the dimensions of the model', vector(256), 'fs'],
    ['of other dimensions than the model', vector(255), 'ff'],
    ['with one that is no number', vector(256, Number.NaN), 'ff'],
    ['with infinity', vector(256, Number.NEGATIVE_INFINITY), 'ff'],
    ['with null', vector(256, null), 'ff'],
    ['of zeros', vector(256, 0), 'ff'],
    ['of other dimensions than they say', { ...vector(256), dimensions: 255 }, 'ff'],
    ['of another number than texts', { ...vector(256), embeddings: [] }, 'ff'],
  ])('%s', (_, output, statuses) => {
    expect(statusesOf(output)).toBe(statuses)
  })

  it('of the dimensions that were asked for', () => {
    const asked = { ...chunk, params: { dimensions: 8 } }

    expect([statusesOf(vector(8), asked), statusesOf(vector(256), asked)]).toEqual(['fs', 'ff'])
  })
})

describe('summaries made of sentences of their input', () => {
  it.each(['eng', 'jpn', 'deu_1996', 'fra', 'rus', 'arb', 'hin', 'cmn_hans', 'tha'])(
    'are founded in %s',
    (code) => {
      const input = { text: declaration(code).text }
      const output = { summary: summarize(input.text, { max_words: 300 }) }
      const chunk = chunkOf('summarize', [input], { params: { max_words: 300 } })

      expect(verified(chunk, [completed(0, output)]).findings).toEqual(nothing)
    },
  )
})
