import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PublicJwk } from '../../openapi/client-keys.ts'
import { claimedClient, verifyAssertion } from './assertion.ts'

const ISSUER = 'https://api.gateway.test'
const CLIENT = 'client_a'
const NOW = 1_800_000_000_000
const at = (seconds: number) => NOW / 1000 + seconds

interface Pair {
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly jwk: PublicJwk
}

async function newPair(alg: string, named: object = {}): Promise<Pair> {
  const { publicKey, privateKey } = await generateKeyPair(alg)
  return { alg, privateKey, jwk: { ...(await exportJWK(publicKey)), alg, ...named } as PublicJwk }
}

let own: Pair
let stranger: Pair
beforeAll(async () => {
  ;[own, stranger] = await Promise.all([newPair('ES256'), newPair('ES256')])
})

type Changes = Record<string, unknown>
const sign = ({ alg, privateKey }: Pair, changed: Changes = {}, header: object = {}) => {
  const claims = { iss: CLIENT, sub: CLIENT, aud: ISSUER, jti: 'one', iat: at(0), exp: at(60), ...changed }
  return new SignJWT(claims as JWTPayload).setProtectedHeader({ alg, ...header }).sign(privateKey)
}
const verify = (assertion: string, keys = [own.jwk]) =>
  verifyAssertion(ISSUER, { keys }, CLIENT, assertion, NOW)

describe('an assertion that the client signed', () => {
  it('is good, and is to be remembered for as long as it could be sent again', async () => {
    expect(await verify(await sign(own))).toEqual({ ok: true, jti: 'one', expiresAt: NOW + 90_000 })
  })

  it.each<[string, Changes, object?]>([
    ['names the issuer in a list', { aud: [ISSUER] }],
    ['names the token endpoint', { aud: `${ISSUER}/oauth/token` }],
    ['names both', { aud: [ISSUER, `${ISSUER}/oauth/token`] }],
    ['lives for five minutes', { exp: at(300) }],
    ['was made by a clock that is half a minute ahead', { iat: at(29), nbf: at(29), exp: at(329) }],
    ['has just expired', { exp: at(-29) }],
    ['has no time of issue', { iat: undefined }],
    ['has the type of RFC 7523bis', {}, { typ: 'client-authentication+jwt' }],
    ['has that type in full', {}, { typ: 'application/client-authentication+jwt' }],
    ['has the type JWT', {}, { typ: 'JWT' }],
    ['names its key as the client likes', {}, { kid: 'any' }],
  ])('may be one that %s', async (_, changed, header) => {
    expect(await verify(await sign(own, changed, header))).toMatchObject({ ok: true })
  })

  it.each<[string, string, Changes, object?]>([
    ['is for another issuer', 'aud', { aud: 'https://evil.example' }],
    ['is for us among others', 'aud', { aud: [ISSUER, 'https://evil.example'] }],
    ['is for the API', 'aud', { aud: `${ISSUER}/v1` }],
    ['is for nobody', 'aud', { aud: [] }],
    ['is for an object', 'aud', { aud: {} }],
    ['is for an issuer with a slash too many', 'aud', { aud: `${ISSUER}/` }],
    ['is for an issuer in capitals', 'aud', { aud: ISSUER.toUpperCase() }],
    ['has no audience', 'aud', { aud: undefined }],
    ['is of another issuer', 'iss', { iss: 'client_x' }],
    ['has no issuer', 'iss', { iss: undefined }],
    ['is about another client', 'sub', { sub: 'client_x' }],
    ['has expired', 'exp', { exp: at(-31) }],
    ['lives six minutes', 'exp', { exp: at(360) }],
    ['ends in milliseconds', 'exp', { exp: NOW + 60_000 }],
    ['has no end', 'exp', { exp: undefined }],
    ['has an end that is text', 'exp', { exp: '9999999999' }],
    ['is not yet valid', 'nbf', { nbf: at(60) }],
    ['has no ID', 'jti', { jti: undefined }],
    ['has an empty ID', 'jti', { jti: '' }],
    ['has a list for an ID', 'jti', { jti: ['a'] }],
    ['has an ID of 300 characters', 'jti', { jti: 'x'.repeat(300) }],
    ['calls itself an access token', 'typ', {}, { typ: 'at+jwt' }],
  ])('is not good when it %s, and the client is told by which claim', async (_, claim, changed, header) => {
    expect(await verify(await sign(own, changed, header))).toEqual({ ok: false, because: claim })
  })

  it('that never ends is not good', async () => {
    const [, payload = ''] = (await sign(own)).split('.')
    const endless = atob(payload).replace(/"exp":\d+/, '"exp":1e400')
    const content = `${btoa('{"alg":"ES256"}')}.${btoa(endless)}`.replaceAll('=', '')
    const signature = await crypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      own.privateKey,
      Buffer.from(content),
    )

    expect(await verify(`${content}.${Buffer.from(signature).toString('base64url')}`)).toEqual({
      ok: false,
      because: 'exp',
    })
  })
})

describe('an assertion that the client did not sign', () => {
  it.each<[string, () => Promise<string> | string]>([
    ['of a stranger', () => sign(stranger)],
    ['of a stranger, for another audience', () => sign(stranger, { aud: 'https://evil.example' })],
    ['without a signature', async () => (await sign(own)).replace(/[^.]+$/, '')],
    [
      'with the algorithm none',
      async () => `${btoa('{"alg":"none"}').replaceAll('=', '')}.${(await sign(own)).split('.')[1]}.`,
    ],
    [
      'with what must be understood, and is not',
      async () =>
        (await sign(own)).replace(/^[^.]+/, btoa('{"alg":"ES256","crit":["x"],"x":1}').replaceAll('=', '')),
    ],
    ['that is none', () => 'nonsense'],
  ])('%s is refused without a word on why', async (_, assertion) => {
    expect(await verify(await assertion())).toEqual({ ok: false, because: null })
  })
})

describe("a client's key", () => {
  it.each(['ES256', 'EdDSA', 'RS256', 'PS256'])('of %s verifies what it signed', async (alg) => {
    const pair = await newPair(alg)

    expect(await verify(await sign(pair), [pair.jwk])).toMatchObject({ ok: true })
  })

  it('is for one algorithm', async () => {
    const pair = await newPair('PS256')

    expect(await verify(await sign(pair), [{ ...pair.jwk, alg: 'RS256' } as PublicJwk])).toMatchObject({
      ok: false,
    })
  })

  it('of Ed25519 goes by both of its names', async () => {
    const pair = await newPair('Ed25519')

    expect(await verify(await sign(pair), [{ ...pair.jwk, alg: 'EdDSA' } as PublicJwk])).toMatchObject({
      ok: true,
    })
  })

  it('is found among several, by its name where it has one', async () => {
    const named = await newPair('ES256', { kid: 'mine' })
    const keys = [stranger.jwk, named.jwk]

    expect(await verify(await sign(named), keys)).toMatchObject({ ok: true })
    expect(await verify(await sign(named, {}, { kid: 'mine' }), keys)).toMatchObject({ ok: true })
    expect(await verify(await sign(named, {}, { kid: 'other' }), keys)).toMatchObject({ ok: false })
    expect(await verify(await sign(named, {}, { kid: '__proto__' }), keys)).toMatchObject({ ok: false })
  })
})

describe('whom an assertion is said to be of', () => {
  it('is its subject, for whatever that is worth', async () => {
    expect(claimedClient(await sign(stranger))).toBe(CLIENT)
  })

  it.each([
    '',
    'nonsense',
    'a.b.c',
    `${btoa('{}')}.${btoa('{}')}.x`,
    `${btoa('{}')}.${btoa('{"sub":["a"]}')}.x`,
    `x.${btoa('null')}.x`,
  ])('is nobody for %j', (text) => {
    expect(claimedClient(text)).toBeNull()
  })
})
