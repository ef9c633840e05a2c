import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ClientKeys } from './client-keys.ts'
import { fieldErrors, jsonPointer } from './field-errors.ts'

type Jwk = Record<string, unknown>

const pairOf = {
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ed: generateKeyPairSync('ed25519'),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
}
const publicOf = (name: keyof typeof pairOf) => pairOf[name].publicKey.export({ format: 'jwk' }) as Jwk
const privateOf = (name: keyof typeof pairOf) => pairOf[name].privateKey.export({ format: 'jwk' }) as Jwk
const [ec, ed, rsa] = [publicOf('ec'), publicOf('ed'), publicOf('rsa')]

/** An odd number of so many bits. */
const modulus = (bits: number) =>
  Buffer.from(
    ((1n << BigInt(bits - 1)) + 1n).toString(16).padStart(Math.ceil(bits / 8) * 2, '0'),
    'hex',
  ).toString('base64url')
const padded = (bytes: number, n: string) =>
  Buffer.concat([Buffer.alloc(bytes), Buffer.from(n, 'base64url')]).toString('base64url')

function pointersOf(jwks: unknown): string[] {
  const parsed = ClientKeys.safeParse(jwks)
  const errors = parsed.success
    ? []
    : fieldErrors(parsed.error.issues, (path) => ({ pointer: jsonPointer(path), detail: '' }))
  return [...new Set(errors.map(({ pointer = '' }) => pointer))]
}

describe('the keys of a client', () => {
  it.each<[string, Jwk[]]>([
    ['P-256', [ec]],
    ['Ed25519', [ed]],
    ['RSA of 2048 bits', [rsa]],
    ['RSA of 2048 bits, the least that there is', [{ ...rsa, n: modulus(2048) }]],
    ['RSA of 4096 bits', [{ ...rsa, n: modulus(4096) }]],
    ['RSA for PS256', [{ ...rsa, alg: 'PS256' }]],
    ['Ed25519 by its old name', [{ ...ed, alg: 'EdDSA' }]],
    [
      'a key as browsers export it',
      [{ ...ec, alg: 'ES256', use: 'sig', ext: true, key_ops: ['verify'], kid: 'a/b+c=' }],
    ],
    [
      'five keys, two of them without names',
      [ec, ed, { ...ec, kid: 'a' }, { ...ed, kid: 'b' }, { ...rsa, kid: 'c' }],
    ],
  ])('may be %s', (_, keys) => {
    expect(pointersOf({ keys })).toEqual([])
  })

  it.each<[string, Jwk | null, string[]]>([
    ['a private key of P-256', privateOf('ec'), ['/keys/0/d']],
    ['a private key of Ed25519', privateOf('ed'), ['/keys/0/d']],
    [
      'a private key of RSA',
      privateOf('rsa'),
      ['/keys/0/d', '/keys/0/dp', '/keys/0/dq', '/keys/0/p', '/keys/0/q', '/keys/0/qi'],
    ],
    ['a symmetric key', { kty: 'oct', k: 'c2VjcmV0' }, ['/keys/0/kty']],
    ['a key of no type', {}, ['/keys/0/kty']],
    ['RSA of 1024 bits', { ...rsa, n: modulus(1024) }, ['/keys/0/n']],
    ['RSA of 2047 bits', { ...rsa, n: modulus(2047) }, ['/keys/0/n']],
    ['RSA of 1024 bits, padded to 2048', { ...rsa, n: padded(128, modulus(1024)) }, ['/keys/0/n']],
    ['RSA of 4097 bits', { ...rsa, n: modulus(4097) }, ['/keys/0/n']],
    ['RSA of nothing', { ...rsa, n: padded(256, '') }, ['/keys/0/n']],
    ['RSA with the exponent 1', { ...rsa, e: 'AQ' }, ['/keys/0/e']],
    ['RSA for RS512', { ...rsa, alg: 'RS512' }, ['/keys/0/alg']],
    ['another curve', { ...ec, crv: 'P-384' }, ['/keys/0/crv']],
    ['a curve for encryption', { ...ed, crv: 'X25519' }, ['/keys/0/crv']],
    ['a short coordinate', { ...ec, x: 'AAAA' }, ['/keys/0/x']],
    ['an algorithm of another type', { ...ec, alg: 'RS256' }, ['/keys/0/alg']],
    ['the algorithm none', { ...ec, alg: 'none' }, ['/keys/0/alg']],
    ['a key for encryption', { ...ec, use: 'enc' }, ['/keys/0/use']],
    ['a key to sign with', { ...ec, key_ops: ['sign'] }, ['/keys/0/key_ops/0']],
    ['an address of certificates', { ...ec, x5u: 'https://evil.example' }, ['/keys/0/x5u']],
    ['null', null, ['/keys/0']],
  ])('are not %s', (_, key, pointers) => {
    expect(pointersOf({ keys: [key] }).toSorted()).toEqual(pointers)
  })

  it.each<[string, unknown, string]>([
    ['none', { keys: [] }, '/keys'],
    ['six', { keys: Array(6).fill(ec) }, '/keys'],
    [
      'two of one name',
      {
        keys: [
          { ...ec, kid: 'a' },
          { ...ed, kid: 'a' },
        ],
      },
      '/keys',
    ],
    ['a list', [ec], ''],
    ['an address of keys', 'https://evil.example/jwks', ''],
  ])('are not %s', (_, jwks, pointer) => {
    expect(pointersOf(jwks)).toEqual([pointer])
  })
})
