import { describe, expect, it } from 'vitest'
import { referenceOf, told } from '../batch/chunk.fixture.ts'
import { answersOf, embedding } from './batch.fixture.ts'

const vectors = (id: number, external_reference: string, count: number, value = 1) => ({
  id,
  external_reference,
  success: true,
  result: { shape: [count, 1024], data: Array.from({ length: count }, () => [value]), pooling: 'cls' },
})

describe('embeddings in a batch at Workers AI', () => {
  const [first, second] = [referenceOf(0), referenceOf(1)]
  const request = embedding([2, 101])
  const parts = [vectors(2, `${second}.1`, 1, 3), vectors(0, first, 2), vectors(1, `${second}.0`, 100, 2)]

  it('are put together from their parts, nested or not', async () => {
    const [nested, ...plain] = parts
    const answers = await answersOf([{ ...nested, result: { result: nested?.result } }, ...plain], request)

    expect(answers).toEqual([
      {
        reference: second,
        index: 1,
        kind: 'completed',
        output: { embeddings: [...Array(100).fill([2]), [3]], dimensions: 1024 },
        usage: { inputTokens: 152, outputTokens: 0 },
      },
      {
        reference: first,
        index: 0,
        kind: 'completed',
        output: { embeddings: [[1], [1]], dimensions: 1024 },
        usage: { inputTokens: 3, outputTokens: 0 },
      },
    ])
  })

  it('of which a part is missing are missing', async () => {
    expect(told(await answersOf(parts.slice(1), request))).toEqual(['completed'])
  })

  it('of which a part failed, or is one short, failed', async () => {
    const [last, ...others] = parts
    const failed = await answersOf([{ ...last, success: false }, ...others], request)
    const short = await answersOf([vectors(2, `${second}.1`, 0), ...others], request)

    expect(told(failed)).toEqual(['completed', 'invalid_output'])
    expect(told(short)).toEqual(['completed', 'invalid_output'])
  })

  it('of which a part came twice show it', async () => {
    const answers = await answersOf([...parts, vectors(2, `${second}.1`, 1, 4)], request)

    expect(answers.map(({ reference }) => reference)).toEqual([second, second, first])
  })

  it('of which one part says another place than the rest are told with that place', async () => {
    const [last, ...others] = parts
    const answers = await answersOf([{ ...last, id: 0 }, ...others], request)

    expect(answers.find(({ reference }) => reference === second)?.index).toBe(0)
  })
})
