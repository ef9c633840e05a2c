/** Chunks at a binding of Workers AI that says what it is told to say. */
import type { ChunkRead, ChunkRequest } from '../../batch-provider.ts'
import { chunkOf, referenceOf, submitted } from '../batch/chunk.fixture.ts'
import { workersAiBatch } from '../workers-ai-batch.ts'

interface Call {
  readonly model: string
  readonly input: Record<string, unknown>
  readonly queued: boolean
}

export const REQUEST_ID = '768f15b7-4fd6-4498-906e-ad94ffc7f8d2'
export const usage = { prompt_tokens: 70, completion_tokens: 30, total_tokens: 100 }

/** A binding that answers each call with the next of these. */
export function bindingWith(...answers: unknown[]) {
  const calls: Call[] = []
  const run = async (model: string, input: Record<string, unknown>, options: { queueRequest?: true }) => {
    calls.push({ model, input, queued: options.queueRequest === true })
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  return { calls, provider: workersAiBatch({ run }) }
}

export const chunk = chunkOf('workers-ai/llama-3.3-70b-instruct-fp8-fast', 3)
export const texts = (count: number) => Array<string>(count).fill('a text')
/** A chunk of items with so many texts each to embed. */
export const embedding = (counts: number[], more: Partial<ChunkRequest> = {}) =>
  chunkOf('workers-ai/bge-m3', 0, {
    kind: 'embed',
    items: counts.map((count, at) => ({ reference: referenceOf(at), input: { texts: texts(count) } })),
    ...more,
  })

/** The finished answer to one request. */
export const answer = (at: number, more: object = {}) => ({
  id: at,
  external_reference: referenceOf(at),
  success: true,
  result: { response: `{"summary":"Summary ${at}."}` },
  ...more,
})

/** What the provider makes of this answer to the question how the chunk stands. */
export const read = (answered: unknown, request: ChunkRequest = chunk): Promise<ChunkRead> =>
  bindingWith(answered).provider.read(submitted(request, REQUEST_ID))

export async function answersOf(responses: unknown[], request: ChunkRequest = chunk) {
  const outcome = await read({ responses, usage }, request)
  if (outcome.kind !== 'done') throw new Error(outcome.kind)
  return outcome.answers
}
