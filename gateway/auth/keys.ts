/** The keys of our own issuer (ES256). */
import { importJWK } from 'jose'
import type { Config, PrivateJwk, SigningKey } from '../config.ts'
import { publishedAt, signingAt } from './key-times.ts'

export interface IssuerKeys {
  readonly signing: { kid: string; key: CryptoKey }
  /** By `kid`. */
  readonly verifying: ReadonlyMap<string, CryptoKey>
}

interface ImportedKey {
  readonly kid: string
  readonly useFrom: number
  readonly signing: CryptoKey
  readonly verifying: CryptoKey
}

let imported: { from: readonly SigningKey[]; keys: readonly ImportedKey[] } | undefined

const publicPart = ({ kty, crv, x, y, kid }: PrivateJwk) => ({
  kty,
  crv,
  x,
  y,
  kid,
  use: 'sig',
  alg: 'ES256',
})

/** What `/.well-known/jwks.json` publishes: the key that signs, those that are to, and those whose tokens are still about. */
export const publicJwks = ({ signingKeys }: Config, now: number) => ({
  keys: publishedAt(signingKeys, now).map(({ jwk }) => publicPart(jwk)),
})

/** One that is published is accepted, also before its time: another isolate's clock may be ahead of ours. */
export async function issuerKeys({ signingKeys }: Config, now: number): Promise<IssuerKeys> {
  const keys = await importOnce(signingKeys)
  const signer = signingAt(keys, now)
  if (!signer) throw new Error('SIGNING_KEYS holds no key.')
  const verifying = new Map(publishedAt(keys, now).map((key) => [key.kid, key.verifying]))
  return { signing: { kid: signer.kid, key: signer.signing }, verifying }
}

async function importOnce(signingKeys: readonly SigningKey[]): Promise<readonly ImportedKey[]> {
  if (imported?.from === signingKeys) return imported.keys
  const keys = await Promise.all(signingKeys.map(importOne))
  imported = { from: signingKeys, keys }
  return keys
}

async function importOne({ jwk, useFrom }: SigningKey): Promise<ImportedKey> {
  return { kid: jwk.kid, useFrom, signing: await asKey(jwk), verifying: await asKey(publicPart(jwk)) }
}

async function asKey(jwk: Record<string, unknown>): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'ES256')
  if (key instanceof Uint8Array) throw new Error('SIGNING_KEYS holds a symmetric key.')
  return key as CryptoKey
}
