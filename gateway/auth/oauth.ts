/** The token endpoint: client credentials by RFC 6749, proved by secret or by key. Its errors are that RFC's, not problems. */
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { errorName, log } from '../../ledger/log.ts'
import type { Config } from '../config.ts'
import type { GatewayContext } from '../router.ts'
import { authenticateClient } from './authenticate-client.ts'
import { type Credentials, parameter, readCredentials } from './credentials.ts'
import { TOKEN_SECONDS } from './lifetimes.ts'
import { type Grant, issueToken } from './token.ts'

type OauthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'temporarily_unavailable'

/** Before anything is read. */
export const limitTokenBody = bodyLimit({
  maxSize: 8192,
  onError: () => refuse('invalid_request', 'The body is larger than 8 KiB.'),
})

/** POST /oauth/token. */
export async function tokenEndpoint(c: Context<GatewayContext>): Promise<Response> {
  const form = await readForm(c.req.raw)
  if (!form) return refuse('invalid_request', 'The body must be form-encoded, each parameter once.')
  if (!parameter(form, 'grant_type')) return refuse('invalid_request', 'grant_type is missing.')
  if (form.get('grant_type') !== 'client_credentials')
    return refuse('unsupported_grant_type', 'Use client_credentials.')

  const credentials = readCredentials(c.req.header('Authorization'), form)
  if (credentials === 'several') return refuse('invalid_request', 'Send the credentials one way only.')
  if (!credentials) return refuse('invalid_client', 'Client authentication is missing or malformed.')
  if (!(await withinRate(c, credentials.id))) return later(429, 'Too many token requests.', 60)
  return grant(c, credentials, parameter(form, 'scope'))
}

async function grant(c: Context<GatewayContext>, credentials: Credentials, wanted: string | null) {
  const { config } = c.var
  const now = Date.now()
  const authenticated = await authenticateClient(c.env.DIRECTORY, config.baseUrl, credentials, now).catch(
    outOfReach,
  )
  if (!authenticated) return later(503, 'Clients cannot be looked up for the moment.', 5)
  if (!authenticated.ok) return refuse('invalid_client', authenticated.description)
  const { client } = authenticated
  const scopes = wanted === null ? client.scopes : wanted.split(' ')
  if (!scopes.every((scope) => client.scopes.includes(scope)))
    return refuse('invalid_scope', 'The client may not have one of these scopes.')
  return granted(config, { clientId: client.id, tenantId: client.tenantId, scopes: [...new Set(scopes)] })
}

/** RFC 6749, section 5.1. */
async function granted(config: Config, grant: Grant): Promise<Response> {
  const body = {
    access_token: await issueToken(config, grant, Date.now(), crypto.randomUUID()),
    token_type: 'Bearer',
    expires_in: TOKEN_SECONDS,
    scope: grant.scopes.join(' '),
  }
  return Response.json(body, { headers: noStore })
}

function outOfReach(error: unknown): null {
  log('oauth.clients_out_of_reach', { error: errorName(error) })
  return null
}

async function readForm(request: Request): Promise<URLSearchParams | null> {
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return null
  const form = new URLSearchParams(await request.text())
  return new Set(form.keys()).size === form.size ? form : null
}

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

const later = (status: 429 | 503, description: string, seconds: number) =>
  Response.json(
    { error: 'temporarily_unavailable', error_description: description },
    { status, headers: { ...noStore, 'Retry-After': String(seconds) } },
  )
