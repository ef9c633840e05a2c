/** A customer's own issuer of tokens: a real HTTP server with metadata and keys, which a spec changes as it likes. */
import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { onTestFinished } from 'vitest'
import { type Answer, request } from './client.ts'
import { onLoopback } from './loopback.ts'
import { expectStatus, operator, type Tenant } from './tenant.ts'
import { signToken, type TokenChange } from './tokens.ts'

export type Jwk = Record<string, string>

const METADATA = '/.well-known/openid-configuration'
const JWKS = '/keys'

export async function newKey(alg = 'ES256', kid: string = randomUUID()): Promise<Jwk> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...((await exportJWK(privateKey)) as Jwk), kid, alg }
}

export const publicPart = ({ d: _, p: __, q: ___, dp: ____, dq: _____, qi: ______, ...jwk }: Jwk) => jwk

export class Issuer {
  readonly url: string
  /** Private; the first one signs, the public halves of all are published. */
  keys: Jwk[]
  /** What to answer with at a path in the place of what is right; null never answers. */
  readonly instead: Record<string, RequestListener | null> = {}
  readonly asked: string[] = []

  constructor(url: string, key: Jwk) {
    this.url = url
    this.keys = [key]
  }

  readonly listener: RequestListener = (request, response) => {
    const { url: path = '' } = request
    this.asked.push(path)
    const instead = this.instead[path]
    if (instead === null) return
    if (instead) return void instead(request, response)
    const body = this.#answers()[path]
    response
      .writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(body ?? {}))
  }

  #answers = (): Record<string, unknown> => ({
    [METADATA]: { issuer: this.url, jwks_uri: this.url + JWKS },
    [JWKS]: { keys: this.keys.map(publicPart) },
  })

  /** How often its keys were asked for. */
  readings = () => this.asked.filter((path) => path === METADATA).length

  /** From now on. */
  answers(what: 'metadata' | 'keys', instead: RequestListener | null) {
    this.instead[what === 'metadata' ? METADATA : JWKS] = instead
  }

  goesDown() {
    this.answers('metadata', (_, response) => response.writeHead(503).end())
  }

  comesUp() {
    delete this.instead[METADATA]
  }

  /** A token for a client of the tenant, signed with the first key. */
  token(tenantId: string, { claims, header, ...change }: TokenChange = {}, key = this.keys[0] ?? {}) {
    const changed = { claims: { iss: this.url, ...claims }, header: { alg: key.alg, ...header }, ...change }
    return signToken(key, tenantId, 'their client', 'jobs:read jobs:write', changed)
  }
}

/** Starts an issuer for one spec. */
export async function newIssuer(key?: Jwk): Promise<Issuer> {
  const server = createServer()
  const { origin, close } = await onLoopback(server)
  onTestFinished(close)
  const issuer = new Issuer(origin, key ?? (await newKey()))
  server.on('request', issuer.listener)
  return issuer
}

export const registrations = (tenant: Pick<Tenant, 'id'>) => `/ops/v1/tenants/${tenant.id}/issuers`

/** Has operators trust the issuer for the tenant. */
export async function trust(tenant: Pick<Tenant, 'id'>, { url }: Pick<Issuer, 'url'>, more: object = {}) {
  const body = { issuer: url, scopes: ['jobs:read', 'jobs:write'], reason: 'a spec', ...more }
  return (await expectStatus(201, (await operator()).post(registrations(tenant), body))).body
}

export const readJobs = (token: string): Promise<Answer> =>
  request('GET', '/v1/jobs', { headers: { Authorization: `Bearer ${token}` } })
