/**
 * Reads an issuer's keys: its metadata, by OpenID Connect Discovery or by RFC 8414, and the key set that this names. Both addresses pass
 * the guard, redirects are refused, and time and size are bounded. What goes wrong is a word, for operators.
 */
import { z } from '@hono/zod-openapi'
import type { PublishedKey } from '../../../ledger/directory/schema.ts'
import type { Guard } from '../../../ledger/webhooks/guard.ts'
import { publishedKeys } from './key-set.ts'

/** For all of it. */
export const READ_MS = 5000
const MAX_BYTES = 65_536

export const readErrors = [
  'url_refused',
  'lookup_unavailable',
  'timeout',
  'connection_failed',
  'redirect',
  'http_status',
  'too_large',
  'not_json',
  'other_issuer',
  'no_key_set',
] as const
export type ReadError = (typeof readErrors)[number]

type Failed = { ok: false; error: ReadError }
type Answered = { ok: true; body: unknown } | Failed
export type Published = { ok: true; keys: PublishedKey[] } | Failed

export interface Reach {
  readonly guard: Guard
  readonly fetch: typeof fetch
}

const failed = (error: ReadError): Failed => ({ ok: false, error })

/** Never throws, and takes no longer than `READ_MS` and two look-ups of a name. */
export async function readPublishedKeys(issuer: string, reach: Reach): Promise<Published> {
  const signal = AbortSignal.timeout(READ_MS)
  const found = await readMetadata(issuer, reach, signal)
  if (!found.ok) return found
  const metadata = Metadata.safeParse(found.body)
  if (!metadata.success) return failed('no_key_set')
  // RFC 8414, section 3.3: else any issuer could speak for this one.
  if (metadata.data.issuer !== issuer) return failed('other_issuer')
  const answered = await readJson(metadata.data.jwks_uri, reach, signal)
  if (!answered.ok) return answered
  const keys = publishedKeys(answered.body)
  return keys ? { ok: true, keys } : failed('no_key_set')
}

const Metadata = z.object({ issuer: z.string(), jwks_uri: z.string() })

/** There is something at the address, but not what was looked for. */
const isElsewhere = (error: ReadError) => ['http_status', 'redirect', 'not_json'].includes(error)

async function readMetadata(issuer: string, reach: Reach, signal: AbortSignal): Promise<Answered> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const answered = await readJson(`${origin}${path}/.well-known/openid-configuration`, reach, signal)
  if (answered.ok || !isElsewhere(answered.error)) return answered
  return readJson(`${origin}/.well-known/oauth-authorization-server${path}`, reach, signal)
}

async function readJson(address: string, { guard, fetch }: Reach, signal: AbortSignal): Promise<Answered> {
  const verdict = await guard(address)
  if (!verdict.ok) return failed(verdict.passing ? 'lookup_unavailable' : 'url_refused')
  const headers = { Accept: 'application/json', 'Accept-Encoding': 'identity', 'User-Agent': USER_AGENT }
  try {
    const response = await fetch(verdict.url, { headers, redirect: 'manual', signal })
    return await judge(response)
  } catch {
    return failed(signal.aborted ? 'timeout' : 'connection_failed')
  }
}

const USER_AGENT = 'async-ai-gateway-issuers/1'

async function judge(response: Response): Promise<Answered> {
  if (response.status !== 200) {
    await response.body?.cancel()
    const isRedirect = 300 <= response.status && response.status < 400
    return failed(isRedirect ? 'redirect' : 'http_status')
  }
  const text = await textOf(response)
  if (text === null) return failed('too_large')
  try {
    return { ok: true, body: JSON.parse(text) }
  } catch {
    return failed('not_json')
  }
}

/** Null for more than anybody needs. */
async function textOf({ body }: Response): Promise<string | null> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
