import { describe, expect, it } from 'vitest'
import { referenceOf, told } from '../batch/chunk.fixture.ts'
import { answersOf, outcomeOf, useOpenAi } from './batch.fixture.ts'

useOpenAi()

describe('an answer of a batch at OpenAI', () => {
  it.each([
    ['400', 'invalid_input'],
    ['400-context-length', 'input_too_large'],
    ['429', 'rate_limited'],
    ['500', 'provider_unavailable'],
    ['content-filter', 'content_filtered'],
    ['no-json', 'invalid_output'],
    ['other-shape', 'invalid_output'],
    ['empty-200', 'invalid_output'],
    ['cut-off', 'invalid_output'],
  ])('with %s fails as %s, and the others do not', async (fault, expected) => {
    expect(told(answersOf(await outcomeOf(`fault:${fault}`)))).toEqual([expected, 'completed', 'completed'])
  })

  const foreign = 'f'.repeat(32)
  it.each([
    ['twice', [referenceOf(0), referenceOf(1), referenceOf(2), referenceOf(2)]],
    ['foreign', [referenceOf(0), referenceOf(1), referenceOf(2), foreign]],
    ['missing', [referenceOf(0), referenceOf(1)]],
    ['nameless', ['null', referenceOf(0), referenceOf(1)]],
    ['broken', ['null', referenceOf(0), referenceOf(1)]],
  ])(
    'keeps the reference that it says it has (%s), for the verification to judge',
    async (wrong, expected) => {
      const answers = answersOf(await outcomeOf(`batch-answers:${wrong}`))

      expect(answers.map(({ reference }) => String(reference)).toSorted()).toEqual(expected.toSorted())
      for (const { reference, kind } of answers)
        if (reference === null || reference === foreign) expect(kind).toBe('failed')
    },
  )

  it('without a response or an error is no success', async () => {
    const read = await outcomeOf('batch-answers:other-shape')

    expect(told(answersOf(read))).toEqual(Array(3).fill('invalid_output'))
  })
})
