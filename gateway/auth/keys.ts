/** The keys of our own issuer (ES256). */
import { importJWK } from 'jose'
import type { Config, PrivateJwk } from '../config.ts'

export interface IssuerKeys {
  readonly signing: { kid: string; key: CryptoKey }
  /** By `kid`. */
  readonly verifying: ReadonlyMap<string, CryptoKey>
}

let imported: { from: readonly PrivateJwk[]; keys: IssuerKeys } | undefined

const publicPart = ({ kty, crv, x, y, kid }: PrivateJwk) => ({
  kty,
  crv,
  x,
  y,
  kid,
  use: 'sig',
  alg: 'ES256',
})

/** What `/.well-known/jwks.json` publishes. */
export const publicJwks = ({ signingKeys }: Config) => ({ keys: signingKeys.map(publicPart) })

export async function issuerKeys({ signingKeys }: Config): Promise<IssuerKeys> {
  if (imported?.from === signingKeys) return imported.keys
  const [first] = signingKeys
  if (!first) throw new Error('SIGNING_KEYS holds no key.')
  const verifying = await Promise.all(
    signingKeys.map(async (jwk) => [jwk.kid, await asKey(publicPart(jwk))] as const),
  )
  const keys = { signing: { kid: first.kid, key: await asKey(first) }, verifying: new Map(verifying) }
  imported = { from: signingKeys, keys }
  return keys
}

async function asKey(jwk: Record<string, unknown>): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'ES256')
  if (key instanceof Uint8Array) throw new Error('SIGNING_KEYS holds a symmetric key.')
  return key as CryptoKey
}
