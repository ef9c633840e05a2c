import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { importKeys, publishedKeys } from './key-set.ts'

type Jwk = Record<string, unknown>

const ofCurve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })
const ofBits = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength })
const publicOf = ({ publicKey }: ReturnType<typeof ofCurve>) => publicKey.export({ format: 'jwk' }) as Jwk
const privateOf = ({ privateKey }: ReturnType<typeof ofCurve>) => privateKey.export({ format: 'jwk' }) as Jwk

const pair = ofCurve('P-256')
const p256 = publicOf(pair)
const p384 = publicOf(ofCurve('P-384'))
const ed25519 = publicOf(generateKeyPairSync('ed25519'))
const rsa = publicOf(ofBits(2048))
const own = { kid: 'own', ...publicOf(ofCurve('P-256')) }

const kidsOf = (keys: unknown) => publishedKeys({ keys })?.map(({ kid }) => kid)

describe('a published key', () => {
  it.each<[string, Jwk, string[]]>([
    ['on P-256', p256, ['ES256']],
    ['on P-384', p384, ['ES384']],
    ['of Ed25519', ed25519, ['EdDSA', 'Ed25519']],
    ['of Ed25519 under its new name', { ...ed25519, alg: 'Ed25519' }, ['EdDSA', 'Ed25519']],
    ['of RSA', rsa, ['RS256']],
    ['of RSA for PSS', { ...rsa, alg: 'PS256' }, ['PS256']],
    ['that is for signatures', { ...p256, use: 'sig', key_ops: ['verify'] }, ['ES256']],
    ['with a certificate', { ...p256, x5c: ['MII'], x5t: 'a' }, ['ES256']],
  ])('%s is bound to one algorithm', async (_, jwk, algorithms) => {
    const keys = publishedKeys({ keys: [{ kid: 'k', ...jwk }] }) ?? []

    expect((await importKeys(keys)).get('k')?.algorithms).toEqual(algorithms)
  })

  it.each<[string, Jwk]>([
    ['without a name', { ...p256, kid: undefined }],
    ['with an empty name', { ...p256, kid: '' }],
    ['with a number for a name', { ...p256, kid: 1 }],
    ['of RSA that is short', publicOf(ofBits(1024))],
    ['of RSA that is short, with zeros in front', { ...rsa, n: `${'A'.repeat(200)}${'x'.repeat(171)}` }],
    ['of RSA that is far too long', { ...rsa, n: 'x'.repeat(1400) }],
    ['of RSA with the exponent 1', { ...rsa, e: 'AQ' }],
    ['for encryption', { ...rsa, use: 'enc' }],
    ['that only signs', { ...p256, key_ops: ['sign'] }],
    ['for another algorithm than its curve has', { ...p256, alg: 'ES384' }],
    ['of RSA for a secret', { ...rsa, alg: 'HS256' }],
    ['of RSA for encryption', { ...rsa, alg: 'RSA-OAEP' }],
    ['on another curve', publicOf(ofCurve('P-521'))],
    ["on Bitcoin's curve", publicOf(ofCurve('secp256k1'))],
    ['for key agreement', publicOf(generateKeyPairSync('x25519'))],
    ['that is a secret', { kty: 'oct', k: 'c2VjcmV0' }],
    ['that is private', privateOf(pair)],
    ['of RSA that is private', privateOf(ofBits(2048))],
    ['of no type', { x: p256.x, y: p256.y }],
    ['without half of its point', { ...p256, y: undefined }],
    ['that is no base64url', { ...p256, x: '+/=' }],
  ])('%s is passed over, and no other is', (_, jwk) => {
    expect(kidsOf([{ kid: 'k', ...jwk }, own])).toEqual(['own'])
  })

  it('whose secret half is published beside it is passed over as well', () => {
    const [open, secret] = [publicOf(pair), privateOf(pair)]

    expect(kidsOf([{ ...open, kid: 'open' }, { ...secret, kid: 'secret' }, own])).toEqual(['own'])
  })

  it('that shares its name with another is passed over with it', () => {
    expect(kidsOf([{ kid: 'k', ...p256 }, own, { kid: 'k', ...rsa }])).toEqual(['own'])
  })

  it('shares its name with a key for encryption without harm', () => {
    expect(
      kidsOf([
        { kid: 'k', ...p256 },
        { kid: 'k', ...rsa, use: 'enc' },
      ]),
    ).toEqual(['k'])
  })

  it('that is no point of its curve is passed over when it is imported', async () => {
    const keys = publishedKeys({ keys: [{ kid: 'k', ...p256, y: p256.x }, own] }) ?? []

    expect([...(await importKeys(keys)).keys()]).toEqual(['own'])
  })
})

describe('a key set', () => {
  it('may be empty', () => {
    expect(kidsOf([])).toEqual([])
  })

  it.each([
    ['none at all', undefined],
    ['a list', [own]],
    ['without keys', {}],
    ['with an object of keys', { keys: { own } }],
    ['with a text among its keys', { keys: [own, 'key'] }],
    ['with null among its keys', { keys: [own, null] }],
    [
      'of more keys than anybody needs',
      { keys: Array.from({ length: 51 }, (_, at) => ({ ...own, kid: `${at}` })) },
    ],
  ])('is no key set when it is %s', (_, body) => {
    expect(publishedKeys(body)).toBeNull()
  })
})
