import { request as httpRequest } from 'node:http'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { BASE_URL } from './support/base-url.ts'
import { request } from './support/client.ts'
import { newTenant, operator, summarizeJob, type Tenant } from './support/tenant.ts'
import { mintToken } from './support/tokens.ts'

const CHALLENGE = 'Bearer realm="async-ai-gateway"'
const INVALID = `${CHALLENGE}, error="invalid_token"`

let acme: Tenant
let token: string
beforeAll(async () => {
  acme = await newTenant()
  token = acme.client.token
})

/** Each value in a line of its own, which `fetch` cannot send. */
function readWithLines(
  lines: string[],
  path = '/v1/jobs',
): Promise<[number | undefined, string | undefined]> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      new URL(path, inject('stack').url).href,
      { headers: { Authorization: lines } },
      (answer) => {
        answer.resume()
        answer.on('end', () => resolve([answer.statusCode, answer.headers['www-authenticate']]))
      },
    )
    sent.on('error', reject).end()
  })
}

describe('the Authorization header', () => {
  it.each<[string, () => string[]]>([
    ['as it should be', () => [`Bearer ${token}`]],
    ['with its scheme in small letters', () => [`bearer ${token}`]],
    ['with its scheme in capitals and two spaces', () => [`BEARER  ${token}`]],
  ])('is taken %s', async (_, lines) => {
    expect(await readWithLines(lines())).toEqual([200, undefined])
  })

  it.each<[string, () => string[]]>([
    ['twice', () => [`Bearer ${token}`, `Bearer ${token}`]],
    ['twice, the second empty', () => [`Bearer ${token}`, '']],
    ['beside other credentials', () => [`Bearer ${token}`, 'Basic YTpi']],
    ['behind other credentials', () => ['Basic YTpi', `Bearer ${token}`]],
    ['with two tokens in one line', () => [`Bearer ${token}, Bearer ${token}`]],
    ['with 9 KiB', () => [`Bearer ${'a'.repeat(9216)}.b.c`]],
    ['with a token without a scheme', () => [token]],
    ['with a scheme without a token', () => ['Bearer']],
    ['with a tab after the scheme', () => [`Bearer\t${token}`]],
    ['with a token in quotes', () => [`Bearer "${token}"`]],
    ['with a token of DPoP', () => [`DPoP ${token}`]],
    ['with basic credentials', () => ['Basic YTpi']],
  ])('is refused as a bad token when it comes %s', async (_, lines) => {
    expect(await readWithLines(lines())).toEqual([401, INVALID])
  })

  it('is asked for without an error code where there is none, also when a token stands in the query', async () => {
    expect(await readWithLines([])).toEqual([401, CHALLENGE])
    expect(await readWithLines([], `/v1/jobs?access_token=${token}`)).toEqual([401, CHALLENGE])
  })

  it('is the one place for a token: another in the query, or in a form, is refused', async () => {
    const both = await acme.get(`/v1/jobs?access_token=${token}`)
    expect([both.status, both.body.errors[0]?.parameter]).toEqual([400, 'access_token'])

    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const { status } = await request('POST', '/v1/jobs', { headers: form, raw: `access_token=${token}` })
    expect(status).toBe(401)
  })
})

describe('a token for one API', () => {
  it.each<[string, () => Promise<[string, string]>]>([
    ["an operator's for tenants", async () => ['/v1/jobs', (await operator()).token]],
    ["a tenant's for operators", async () => ['/ops/v1/tenants', token]],
    [
      "a tenant's with operators' audience",
      async () => [
        '/ops/v1/tenants',
        await mintToken(acme.id, 'client_a', 'ops:read', { claims: { aud: `${BASE_URL}/ops/v1` } }),
      ],
    ],
    [
      "an operator's with tenants' audience",
      async () => ['/v1/jobs', await mintToken(acme.id, 'client_a', 'jobs:read', { drop: ['tenant_id'] })],
    ],
    [
      "a tenant's with the scopes of operators, for operators",
      async () => ['/ops/v1/tenants', await mintToken(acme.id, 'client_a', 'ops:read ops:write')],
    ],
  ])('is no good for the other: %s', async (_, both) => {
    const [path, bearer] = await both()

    expect(await readWithLines([`Bearer ${bearer}`], path)).toEqual([401, INVALID])
  })

  it.each(['jobs:read\njobs:write', 'jobs:write2', 'JOBS:WRITE', 'jobs:read\tjobs:write', 'jobs', '*', ' '])(
    'with the scope %j has not the scope jobs:write',
    async (scope) => {
      const bearer = await mintToken(acme.id, 'client_a', scope)

      const { status, headers } = await request('POST', '/v1/jobs', {
        headers: { Authorization: `Bearer ${bearer}`, 'Idempotency-Key': 'k' },
        json: summarizeJob(),
      })

      expect([status, headers.get('WWW-Authenticate')]).toEqual([
        403,
        `${CHALLENGE}, error="insufficient_scope", scope="jobs:write"`,
      ])
    },
  )
})
