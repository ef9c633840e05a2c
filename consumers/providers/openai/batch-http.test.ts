import { describe, expect, it } from 'vitest'
import { linesOf, TooLong } from './batch-http.ts'
import { newClient } from './http.ts'

const TEXT = '{"a":1}\r\n\n{"b":"ü"}'
const BYTES = new TextEncoder().encode(TEXT)

/** The lines of a file that comes a byte at a time, of which so many bytes may come. */
async function linesWithin(bytes: number): Promise<string[]> {
  const body = new ReadableStream({
    start(controller) {
      for (const byte of BYTES) controller.enqueue(new Uint8Array([byte]))
      controller.close()
    },
  })
  const access = { baseUrl: 'https://openai.example/v1', apiKey: 'key', now: Date.now }
  const client = newClient({ ...access, fetch: async () => new Response(body) })
  const call = { key: 'k', traceparent: null, signal: AbortSignal.timeout(5000) }
  const lines: string[] = []
  for await (const line of linesOf(client, 'file-1', bytes, call)) lines.push(line)
  return lines
}

describe('the lines of a file at OpenAI', () => {
  it('are whole however they come, the last without its end too, and blank ones are none', async () => {
    expect((await linesWithin(BYTES.length)).map((line) => JSON.parse(line))).toEqual([{ a: 1 }, { b: 'ü' }])
  })

  it('are no more than may be held', async () => {
    await expect(linesWithin(BYTES.length - 1)).rejects.toThrow(TooLong)
  })
})
