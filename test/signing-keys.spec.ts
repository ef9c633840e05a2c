import { describe, expect, inject, it } from 'vitest'
import { BASE_URL } from './support/base-url.ts'
import { request } from './support/client.ts'
import { newTenant, operator } from './support/tenant.ts'
import { signToken } from './support/tokens.ts'

const { signingKey, otherKeys } = inject('stack')

async function readWith(key: Record<string, string>) {
  const { id } = await newTenant()
  const token = await signToken(key, id, 'client_spec', 'jobs:read')
  return request('GET', '/v1/jobs', { headers: { Authorization: `Bearer ${token}` } })
}

describe('a token of our issuer', () => {
  it.each([
    ['a key that was replaced just now', otherKeys.old],
    ['the key that signs', signingKey],
    ['a key that is to sign, as one whose clock is ahead makes it', otherKeys.next],
  ])('is accepted when it was signed by %s', async (_, key) => {
    expect((await readWith(key)).status).toBe(200)
  })

  it('is refused when it was signed by a key whose last token has ended', async () => {
    const { status, headers } = await readWith(otherKeys.gone)

    expect(status).toBe(401)
    expect(headers.get('WWW-Authenticate')).toContain('error="invalid_token"')
  })

  it('is signed by the youngest key whose time has come', async () => {
    const [header = ''] = (await operator()).token.split('.')

    expect(JSON.parse(atob(header))).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: signingKey.kid })
  })
})

describe('the published keys', () => {
  it('are those that tokens are accepted from, their public parts only', async () => {
    const { status, headers, body } = await request('GET', '/.well-known/jwks.json')

    const { keys } = body as unknown as { keys: Record<string, string>[] }
    const accepted = [otherKeys.next, signingKey, otherKeys.old]
    expect([status, headers.get('Cache-Control')]).toEqual([200, 'public, max-age=300'])
    expect(keys.map(({ kid }) => kid).toSorted()).toEqual(accepted.map(({ kid }) => kid).toSorted())
    for (const key of keys)
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  it('are where the metadata says', async () => {
    const { body } = await request('GET', '/.well-known/oauth-authorization-server')

    expect(body).toMatchObject({ issuer: BASE_URL, jwks_uri: `${BASE_URL}/.well-known/jwks.json` })
  })
})
