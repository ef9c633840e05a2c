/** Our issuer, held against a client and a resource server that others wrote. */
import * as oauth from 'oauth4webapi'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { createClient } from './support/api-clients.ts'
import { BASE_URL } from './support/base-url.ts'
import { newTenant, operator, type Tenant } from './support/tenant.ts'

/** The names in our documents lead to where the specs' gateway listens. */
const options = {
  [oauth.customFetch]: (url: string, init: object) => fetch(url.replace(BASE_URL, inject('stack').url), init),
}

let issuer: oauth.AuthorizationServer
let acme: Tenant
beforeAll(async () => {
  const url = new URL(BASE_URL)
  const response = await oauth.discoveryRequest(url, { ...options, algorithm: 'oauth2' })
  issuer = await oauth.processDiscoveryResponse(url, response)
  acme = await newTenant()
})

async function tokenFor(client_id: string, proof: oauth.ClientAuth) {
  const client = { client_id }
  const response = await oauth.clientCredentialsGrantRequest(issuer, client, proof, {}, options)
  return oauth.processClientCredentialsResponse(issuer, client, response)
}

const validated = (token: string, audience = `${BASE_URL}/v1`) =>
  oauth.validateJwtAccessToken(
    issuer,
    new Request(audience, { headers: { Authorization: `Bearer ${token}` } }),
    audience,
    { ...options, signingAlgorithms: ['ES256'] },
  )

describe('a client library', () => {
  it('finds by our metadata how clients may authenticate', () => {
    expect(issuer.token_endpoint_auth_methods_supported).toEqual([
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
    ])
    expect(issuer.token_endpoint_auth_signing_alg_values_supported).toContain('ES256')
    expect(issuer.response_types_supported).toEqual([])
  })

  it.each([
    ['basic', oauth.ClientSecretBasic],
    ['post', oauth.ClientSecretPost],
  ])('gets a token by its secret with %s', async (_, proof) => {
    const { client_id, client_secret } = await createClient(acme)

    const answer = await tokenFor(client_id, proof(client_secret))

    expect(answer).toMatchObject({ token_type: 'bearer', expires_in: 900 })
    const { sub, client_id: named, tenant_id } = await validated(answer.access_token)
    expect([sub, named, tenant_id]).toEqual([client_id, client_id, acme.id])
  })

  it.each(['ES256', 'RS256', 'PS256', 'Ed25519'])('gets a token by a key for %s', async (alg) => {
    const { publicKey, privateKey } = await oauth.generateKeyPair(alg, { extractable: true })
    const jwk = { ...(await crypto.subtle.exportKey('jwk', publicKey)), alg, kid: 'mine' }
    const { client_id } = await createClient(acme, { jwks: { keys: [jwk] } })

    const answer = await tokenFor(client_id, oauth.PrivateKeyJwt({ key: privateKey, kid: 'mine' }))

    expect(await validated(answer.access_token)).toMatchObject({ iss: BASE_URL, sub: client_id })
  })

  it('understands a refusal', async () => {
    const { client_id } = await createClient(acme)

    await expect(tokenFor(client_id, oauth.ClientSecretPost('wrong'))).rejects.toMatchObject({ status: 401 })
  })
})

describe('a resource server that validates by RFC 9068', () => {
  it("takes an operator's token for the operators' API only", async () => {
    const { token } = await operator()

    expect(await validated(token, `${BASE_URL}/ops/v1`)).toMatchObject({ scope: 'ops:read ops:write' })
    await expect(validated(token)).rejects.toThrow('aud')
  })
})
