import { describe, expect, it } from 'vitest'
import { findModel } from '../../../catalog/models.ts'
import { chunkOf, referenceOf, told } from '../batch/chunk.fixture.ts'
import { answersOf, outcomeOf, useOpenAi } from './batch.fixture.ts'
import { inputFileFor, lineReader } from './batch-lines.ts'

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

  it('with another status than 200 is no success, whatever came with it', () => {
    const model = findModel('openai/gpt-4o-mini')
    if (!model) throw new Error('No such model.')
    const [reference] = [referenceOf(0)]
    const content = JSON.stringify({ summary: 'Everybody has rights.' })
    const body = { choices: [{ message: { content }, finish_reason: 'stop' }], usage: null }
    const told = (status_code: number) => {
      const line = { custom_id: reference, response: { status_code, body }, error: null }
      const { items, ...call } = chunkOf(model.id, 1)
      return lineReader(model, call, items)(JSON.stringify(line)).answer.kind
    }

    expect([told(200), told(202)]).toEqual(['completed', 'failed'])
  })
})

describe('the input file of a chunk at OpenAI', () => {
  it('holds 50,000 texts at most', () => {
    const model = findModel('openai/text-embedding-3-small')
    if (!model) throw new Error('No such model.')
    const file = (counts: number[]) => {
      const items = counts.map((count, at) => ({
        reference: referenceOf(at),
        input: { texts: Array<string>(count).fill('a') },
      }))
      return inputFileFor(model, chunkOf(model.id, 0, { kind: 'embed', items }))
    }
    const full = Array<number>(195).fill(256)

    expect(file([...full, 80])).toMatchObject({ endpoint: '/v1/embeddings' })
    expect(file([...full, 81])).toBe('internal')
  })
})
