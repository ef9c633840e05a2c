/** The token endpoint: client credentials by RFC 6749. Its errors are that RFC's, not problems. */
import type { Context } from 'hono'
import type { GatewayContext } from '../router.ts'
import { findClient } from './clients.ts'
import { issueToken, TOKEN_SECONDS } from './token.ts'

type OauthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'temporarily_unavailable'

interface Credentials {
  readonly id: string
  readonly secret: string
}

const MAX_BODY = 8192

/** POST /oauth/token. */
export async function tokenEndpoint(c: Context<GatewayContext>): Promise<Response> {
  const form = await readForm(c.req.raw)
  if (!form) return refuse('invalid_request', 'The body must be form-encoded, each parameter once.')
  if (!form.has('grant_type')) return refuse('invalid_request', 'grant_type is missing.')
  if (form.get('grant_type') !== 'client_credentials')
    return refuse('unsupported_grant_type', 'Use client_credentials.')

  const credentials = readCredentials(c.req.header('Authorization'), form)
  if (credentials === 'several') return refuse('invalid_request', 'Send the credentials one way only.')
  if (!credentials) return refuse('invalid_client', 'Client authentication is missing or malformed.')
  if (!(await withinRate(c, credentials.id))) return tooOften()
  return grant(c, credentials, form.get('scope'))
}

async function grant(c: Context<GatewayContext>, { id, secret }: Credentials, wanted: string | null) {
  const client = await findClient(c.env.DIRECTORY, id, secret)
  if (!client) return refuse('invalid_client', 'Unknown client, or wrong secret.')
  const scopes = wanted === null ? client.scopes : wanted.split(' ')
  if (!scopes.every((scope) => client.scopes.includes(scope)))
    return refuse('invalid_scope', 'The client may not have one of these scopes.')

  const token = { clientId: client.id, tenantId: client.tenantId, scopes: [...new Set(scopes)] }
  const body = {
    access_token: await issueToken(c.var.config, token, Date.now(), crypto.randomUUID()),
    token_type: 'Bearer',
    expires_in: TOKEN_SECONDS,
    scope: token.scopes.join(' '),
  }
  return Response.json(body, { headers: noStore })
}

async function readForm(request: Request): Promise<URLSearchParams | null> {
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return null
  const text = await request.text()
  if (text.length > MAX_BODY) return null
  const form = new URLSearchParams(text)
  return new Set(form.keys()).size === form.size ? form : null
}

function readCredentials(
  authorization: string | undefined,
  form: URLSearchParams,
): Credentials | 'several' | null {
  const [id, secret] = [form.get('client_id'), form.get('client_secret')]
  if (authorization === undefined) return id !== null && secret !== null ? { id, secret } : null
  return secret === null ? basicCredentials(authorization) : 'several'
}

/** RFC 6749, section 2.3.1: ID and secret are form-encoded before they are joined. */
function basicCredentials(authorization: string): Credentials | null {
  const encoded = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1]
  try {
    const [, id, secret] = /^([^:]*):(.*)$/s.exec(atob(encoded ?? '')) ?? []
    return id && secret ? { id: formDecoded(id), secret: formDecoded(secret) } : null
  } catch {
    return null
  }
}

const formDecoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

/** Before the directory is asked: guesses cost us nothing. */
async function withinRate(c: Context<GatewayContext>, clientId: string): Promise<boolean> {
  const address = c.req.header('CF-Connecting-IP') ?? 'unknown'
  const keys = [`address:${address}`, `client:${clientId}`]
  const limits = await Promise.all(keys.map((key) => c.env.TOKEN_LIMITER.limit({ key })))
  return limits.every(({ success }) => success)
}

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

function refuse(error: OauthError, description: string): Response {
  const challenge = error === 'invalid_client' ? { 'WWW-Authenticate': 'Basic realm="async-ai-gateway"' } : {}
  const status = error === 'invalid_client' ? 401 : 400
  return Response.json(
    { error, error_description: description },
    { status, headers: { ...noStore, ...challenge } },
  )
}

const tooOften = () =>
  Response.json(
    { error: 'temporarily_unavailable', error_description: 'Too many token requests.' },
    { status: 429, headers: { ...noStore, 'Retry-After': '60' } },
  )
