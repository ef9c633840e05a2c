/** A small HTTP client for the gateway: for tokens, and for the operators' API, which has no SDK. */
import type { ClientCredentials } from './kept-secrets.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, or the text of another type; null where there is none. */
  readonly body: unknown
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response
  const text = await response.text()
  const isJson = /\bjson\b/.test(headers.get('Content-Type') ?? '')
  return { status, headers, body: isJson ? JSON.parse(text) : text || null }
}

const timeout = () => AbortSignal.timeout(30_000)

/** POST /oauth/token with client_secret_basic. */
export async function requestToken(baseUrl: string, credentials: ClientCredentials): Promise<Answer> {
  const pair = `${credentials.client_id}:${credentials.client_secret}`
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    signal: timeout(),
  })
  return answerOf(response)
}

export interface Call {
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
}
/** A path, or a URL as the gateway gave it. */
export type Api = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, call?: Call) => Promise<Answer>

const apiWith =
  (baseUrl: string, token: string): Api =>
  async (method, path, { body, headers = {} } = {}) => {
    const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: { Authorization: `Bearer ${token}`, ...json, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: timeout(),
    })
    return answerOf(response)
  }

/** An API under a fresh token of the client; throws if it gets none. */
export async function connect(baseUrl: string, credentials: ClientCredentials): Promise<Api> {
  const { status, body } = await requestToken(baseUrl, credentials)
  if (status !== 200)
    throw new Error(`No token for ${credentials.client_id}: ${status} ${JSON.stringify(body)}`)
  return apiWith(baseUrl, (body as { access_token: string }).access_token)
}
