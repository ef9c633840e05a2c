/** Where access tokens come from. However many calls want one at once, it is fetched once. */
import { TokenError } from './errors.ts'
import { callOf, deliver, type Means } from './transport.ts'

export interface Tokens {
  /** One that is good as far as we know. */
  get(): Promise<string>
  /** Another in place of one that was refused; the same again where there is no other. */
  renew(refused: string): Promise<string>
}

export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
  /** Space-separated; all that the client has unless given. */
  readonly scope?: string
}

interface Held {
  readonly token: string
  readonly goodUntil: number
}

/** A token is renewed this long before its end, so that none ends on its way; a short one after nine tenths of its life. */
const MARGIN_MS = 60_000

export function clientTokens(baseUrl: string, credentials: ClientCredentials, means: Means): Tokens {
  let held: Held | null = null
  const fresh = shared(async () => {
    held = await fetchToken(baseUrl, credentials, means)
    return held.token
  })
  return {
    get: async () => (held && means.now() < held.goodUntil ? held.token : fresh()),
    renew: async (refused) => (held && held.token !== refused ? held.token : fresh()),
  }
}

/** Tokens that somebody else looks after: asked before every call, and told which was refused. */
export function givenTokens(give: (refused?: string) => string | Promise<string>): Tokens {
  const ask = shared(async (refused?: string) => give(refused))
  return { get: ask, renew: ask }
}

/** Whoever asks for the same while an answer is on its way gets that one. */
function shared<K extends string, T>(make: (key?: K) => Promise<T>): (key?: K) => Promise<T> {
  const pending = new Map<K | undefined, Promise<T>>()
  return (key) => {
    const made = pending.get(key) ?? make(key).finally(() => pending.delete(key))
    pending.set(key, made)
    return made
  }
}

async function fetchToken(baseUrl: string, credentials: ClientCredentials, means: Means): Promise<Held> {
  const asked = means.now()
  const response = await deliver(await callOf(tokenRequest(baseUrl, credentials)), means)
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null
  if (!response.ok || typeof body?.access_token !== 'string')
    throw new TokenError(response.status, textOf(body?.error), textOf(body?.error_description) ?? '')
  const lifeMs = Number(body.expires_in ?? 0) * 1000
  return { token: body.access_token, goodUntil: asked + Math.max(lifeMs - MARGIN_MS, lifeMs * 0.9) }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

/** `client_secret_basic` (RFC 6749, section 2.3.1). To ask twice does no harm. */
function tokenRequest(baseUrl: string, { clientId, clientSecret, scope }: ClientCredentials): Request {
  const pair = [clientId, clientSecret].map(encodeURIComponent).join(':')
  return new Request(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(pair)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) }),
  })
}
