/** What the stand-in for OpenAI knows of batches of ours. */
import { inject } from 'vitest'
import { OPENAI_KEY } from './openai-server.ts'

interface Known {
  readonly id: string
  readonly status: string
  readonly output_file_id: string | null
  readonly metadata: { readonly submission: string } | null
}

async function told<T>(path: string): Promise<T> {
  const headers = { Authorization: `Bearer ${OPENAI_KEY}` }
  return (await (await fetch(new URL(path, inject('stack').openaiUrl), { headers })).json()) as T
}

/** What it made of a batch of ours, however often it was sent. */
export async function batchesAtOpenAi(id: string): Promise<Known[]> {
  const { data } = await told<{ data: Known[] }>('/v1/batches')
  return data.filter(({ metadata }) => metadata?.submission.startsWith(`${id}-`))
}

/** How often it was asked for this. */
export async function callsAtOpenAi(path: string): Promise<number> {
  const asked = await told<{ path: string }[]>('/asked')
  return asked.filter((one) => one.path === path).length
}
