/** Chunks at a stand-in of OpenAI, which goes wrong where the first text of a chunk says so. */
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, type MockInstance, vi } from 'vitest'
import { OPENAI_KEY, type OpenAiServer, startOpenAi } from '../../../test/support/openai-server.ts'
import type { BatchProvider, ChunkRead, ChunkRequest, SubmittedChunk } from '../../batch-provider.ts'
import { chunkOf, submitted } from '../batch/chunk.fixture.ts'
import { openaiBatch } from '../openai-batch.ts'

const MODEL = 'openai/gpt-4o-mini'

export let server: OpenAiServer
/** What is logged, which is not shown. */
export let logged: MockInstance

/** To be called by each file of tests: this module outlives them, its server must not. */
export function useOpenAi(): void {
  beforeAll(async () => {
    server = await startOpenAi()
  })
  afterAll(() => server.close())
  beforeEach(() => {
    logged = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  })
  afterEach(() => void vi.restoreAllMocks())
}

export type Fetch = typeof fetch
export const provider = (more: { url?: string; fetch?: Fetch; since?: number } = {}): BatchProvider => {
  const { url = server.url, fetch: call = fetch, since = Date.now() } = more
  return openaiBatch({ baseUrl: url, apiKey: OPENAI_KEY, fetch: call, now: Date.now, since })
}

let keys = 0
/** A chunk of three texts to summarise, of which the first says what goes wrong. */
export const chunk = (wrong = '', more: Partial<ChunkRequest> = {}): ChunkRequest => {
  const right = chunkOf(MODEL, 3, { key: `batch_${++keys}-0-0-1` })
  const items = right.items.map((item, at) =>
    at === 0 ? { ...item, input: { text: `A text. ${wrong}` } } : item,
  )
  return { ...right, items, ...more }
}

export async function accepted(request: ChunkRequest): Promise<SubmittedChunk> {
  const outcome = await provider().submit(request)
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome))
  return submitted(request, outcome.requestId)
}

/** What a chunk comes to when it is not pending any more. */
export async function ended(sent: SubmittedChunk): Promise<ChunkRead> {
  for (;;) {
    const read = await provider().read(sent)
    if (read.kind !== 'pending') return read
    await setTimeout(10)
  }
}

export const outcomeOf = async (wrong: string) => ended(await accepted(chunk(wrong)))

export const answersOf = (read: ChunkRead) => (read.kind === 'done' ? read.answers : [])

/** The request that was made under this key. */
export const askedFor = (key: string) => server.asked.find((asked) => asked.key === key)
