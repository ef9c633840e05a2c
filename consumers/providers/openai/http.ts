/** How OpenAI is called: one HTTP request, nothing followed, nothing retried, the answer read whole and bounded. */
import OpenAI from 'openai'
import type { Model } from '../../../catalog/models.ts'
import type { ProviderRequest } from '../../provider.ts'
import { LostConnection } from './failure.ts'

/** The largest answer is 256 vectors of 3,072 numbers, about 20 MB; more is read by nobody. */
const MOST_BYTES = 32 * 1024 * 1024

/** What OpenAI calls it. */
export const modelName = ({ id, provider }: Model) => id.slice(provider.length + 1)

export interface Access {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: typeof fetch
  readonly now: () => number
}

export function newClient({ baseUrl, apiKey, fetch }: Access): OpenAI {
  // A redirect could carry the key and the customer's text to somewhere that nobody has checked.
  const once = (url: string | URL | Request, init?: RequestInit) =>
    fetch(url, { ...init, redirect: 'manual' })
  return new OpenAI({
    baseURL: baseUrl,
    apiKey,
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    // The client takes `Response` from here; else it would fetch something only to see its class.
    fetch: Object.assign(once, { Response }),
  })
}

export const optionsFor = ({
  idempotencyKey,
  traceparent,
  signal,
}: Pick<ProviderRequest, 'idempotencyKey' | 'traceparent' | 'signal'>) => ({
  signal,
  headers: { 'Idempotency-Key': idempotencyKey, ...(traceparent && { traceparent }) },
})

export interface Answer {
  /** Null where it is longer than any answer could be. */
  readonly text: string | null
  readonly requestId: string | null
}

export async function readAnswer({ body, headers }: Response, signal: AbortSignal): Promise<Answer> {
  const requestId = headers.get('x-request-id')
  try {
    return { text: body ? await readText(body) : '', requestId }
  } catch (error) {
    if (signal.aborted) throw error
    throw new LostConnection(undefined, { cause: error })
  }
}

async function readText(body: ReadableStream<Uint8Array>): Promise<string | null> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let [text, bytes] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > MOST_BYTES) {
      await reader.cancel().catch(() => undefined)
      return null
    }
    text += decoder.decode(value, { stream: true })
  }
}
