/** A client of the API: raw requests with a token. Every exchange is held against the documents. */
import { inject } from 'vitest'
import { z } from 'zod'
import { checkedFetch } from './conformance/checked-fetch.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, or null for an empty body. */
  readonly body: Body
}

/** The members that specs look at; whether an answer has them is what they check. */
export interface Body {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly terminal: boolean
  readonly attempts: number
  readonly model: string
  readonly output: Output
  readonly usage: { input_tokens: number; output_tokens: number; cost_usd: number }
  readonly error: { class: string; message: string; retryable: boolean } | null
  readonly errors: { pointer: string; parameter: string; detail: string }[]
  readonly error_count: number
  readonly request_id: string
  readonly detail: string
  readonly data: Body[]
  readonly has_more: boolean
  readonly next_cursor: string | null
  readonly status_url: string
  readonly status_reason: string | null
  readonly created_at: string
  readonly started_at: string
  readonly next_attempt_at: string
  readonly finished_at: string
  readonly deadline_at: string
  readonly redrive_of: string | null
  readonly new_job_id: string
  readonly redrive_reason: string
  readonly content_deleted_at: string | null
  readonly secret: string
  readonly public_keys: string[]
  readonly public_key: string
  readonly expires_at: string | null
  readonly url: string
  readonly content_type: string
  readonly bytes: number
  readonly sha256: string
  readonly content_expires_at: string
  readonly client_id: string
  readonly client_secret: string
  readonly limits: Record<string, number>
  readonly would_be_accepted: boolean
  readonly reasons: string[]
  readonly pauses: object[]
  readonly approved_by: string | null
}

export interface Output {
  readonly summary: string
  readonly embeddings: number[][]
  readonly dimensions: number
  readonly labels: { label: string; score: number }[]
  readonly markdown: string
  readonly citations: { source: number; title: string }[]
}

export interface RequestOptions {
  readonly headers?: Record<string, string>
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  /** Where the gateway listens, if it is not that of all specs. */
  readonly at?: string
}

export async function request(
  method: string,
  path: string,
  { headers = {}, json, raw, at = inject('stack').url }: RequestOptions = {},
): Promise<Answer> {
  const typed = json === undefined ? headers : { 'Content-Type': 'application/json', ...headers }
  const body = json === undefined ? raw : JSON.stringify(json)
  const init = { method, headers: typed, redirect: 'manual' as const, ...(body !== undefined && { body }) }
  const response = await checkedFetch(new URL(path, at), init)
  const text = await response.text()
  const isJson = /[/+]json\b/.test(response.headers.get('Content-Type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text ? JSON.parse(text) : text || null,
  }
}

const Token = z.object({ access_token: z.string() })

export async function fetchToken(clientId: string, clientSecret: string, scope?: string): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  if (scope) form.set('scope', scope)
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const { body } = await request('POST', '/oauth/token', { headers, raw: form.toString() })
  return Token.parse(body).access_token
}

export class Client {
  readonly token: string
  readonly at: string | undefined

  /** `at`: where the gateway listens, if it is not that of all specs. */
  constructor(token: string, at?: string) {
    this.token = token
    this.at = at
  }

  request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    return request(method, path, {
      ...(this.at && { at: this.at }),
      ...options,
      headers: { Authorization: `Bearer ${this.token}`, ...options.headers },
    })
  }

  get(path: string, headers: Record<string, string> = {}) {
    return this.request('GET', path, { headers })
  }

  post(path: string, json: unknown, headers: Record<string, string> = {}) {
    return this.request('POST', path, { json, headers })
  }

  patch(path: string, json: unknown) {
    return this.request('PATCH', path, { json })
  }

  delete(path: string) {
    return this.request('DELETE', path)
  }
}
