import { describe, expect, it } from 'vitest'
import { referenceOf } from '../batch/chunk.fixture.ts'
import { answer, answersOf, read } from './batch.fixture.ts'

describe('an answer of a batch at Workers AI', () => {
  it.each([
    ['as text', { response: '{"summary":"Yes."}' }],
    ['parsed', { response: { summary: 'Yes.' } }],
    ['nested', { result: { response: '{"summary":"Yes."}' } }],
    ['bare', '{"summary":"Yes."}'],
    ['bare and nested', { result: '{"summary":"Yes."}' }],
  ])('may come %s', async (_, result) => {
    expect(await answersOf([answer(0, { result })])).toMatchObject([
      { kind: 'completed', output: { summary: 'Yes.' } },
    ])
  })

  it.each([
    ['no form', {}],
    ['null', null],
    ['nothing', undefined],
    ['an empty text', { response: ' ' }],
    ['an empty text, nested', { result: { response: '' } }],
    ['null in a form', { response: null, usage: { prompt_tokens: 5, completion_tokens: 0 } }],
    ['no vectors', { shape: [0, 1024], data: [] }],
  ])('that is a success with %s for a result is told as that', async (_, result) => {
    expect(await answersOf([answer(0, { result })])).toMatchObject([
      { reference: referenceOf(0), index: 0, kind: 'completed', output: null },
    ])
  })

  it.each([
    ['is a number', { result: { response: 5 } }],
    ['has another form', { result: { text: 'Yes.' } }],
    ['is no JSON', { result: { response: 'Here is your summary.' } }],
    ['says nothing of success', { success: undefined }],
    ['says success in a word', { success: 'true' }],
  ])('that %s is no success', async (_, more) => {
    expect(await answersOf([answer(0, more)])).toMatchObject([
      { reference: referenceOf(0), kind: 'failed', class: 'invalid_output' },
    ])
  })

  it.each([
    [undefined, 'invalid_output'],
    [[], 'invalid_output'],
    [[{ code: 3006, message: 'x' }], 'input_too_large'],
    [[{ code: 'constructor' }], 'invalid_output'],
    [['5021: too long'], 'input_too_large'],
    ['3040: x', 'provider_overloaded'],
  ])('that failed with %j is %s', async (errors, expected) => {
    expect(await answersOf([answer(0, { success: false, errors })])).toMatchObject([{ class: expected }])
  })

  it('keeps what it says it is, for the verification to judge', async () => {
    const all = await answersOf([
      answer(1),
      answer(1),
      answer(0, { external_reference: 'another' }),
      answer(2, { external_reference: null }),
      answer(9, { external_reference: null }),
      answer(2, { id: 7 }),
      'no object',
    ])

    expect(all.map(({ reference, index, kind }) => [reference, index, kind])).toEqual([
      [referenceOf(1), 1, 'completed'],
      [referenceOf(1), 1, 'completed'],
      [referenceOf(2), 7, 'completed'],
      [null, 2, 'completed'],
      ['another', 0, 'failed'],
      [null, 9, 'failed'],
      [null, null, 'failed'],
    ])
  })

  it('is counted item by item where the platform does not count', async () => {
    const counted = { response: '{"summary":"Yes."}', usage: { prompt_tokens: 5, completion_tokens: 2 } }
    const responses = [answer(0, { result: counted }), answer(1, { result: counted })]

    expect(await read({ responses })).toMatchObject({ usage: { inputTokens: 10, outputTokens: 4 } })
  })
})
