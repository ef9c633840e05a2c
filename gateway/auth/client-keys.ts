/** Public keys of clients: what is registered, and what each is for. */
import { importJWK, type JWK } from 'jose'
import type { ClientKeys, PublicJwk } from '../../openapi/client-keys.ts'
import { Problem } from '../problem.ts'

const defaults = { EC: 'ES256', OKP: 'EdDSA', RSA: 'RS256' } as const

/** RFC 8725, section 3.1: a key is for one algorithm. */
export const algorithmOf = ({ kty, alg }: PublicJwk) => alg ?? defaults[kty]

export const importKey = (key: PublicJwk, algorithm: string) => importJWK(key as JWK, algorithm)

/** As they are stored; what tools write into a key besides is left out. */
export async function checkedKeys({ keys }: ClientKeys): Promise<ClientKeys> {
  for (const [at, key] of keys.entries()) if (!(await isKey(key))) throw notAKey(at)
  return {
    keys: keys.map(({ key_ops: _, ext: __, ...key }) => ({ ...key, alg: algorithmOf(key) }) as PublicJwk),
  }
}

/** A point may lie off the curve. */
const isKey = (key: PublicJwk) =>
  importKey(key, algorithmOf(key)).then(
    () => true,
    () => false,
  )

const notAKey = (at: number) =>
  new Problem('invalid-request', {
    detail: 'One of the keys is none.',
    errors: [{ pointer: `/jwks/keys/${at}`, detail: 'Not a public key of this type.' }],
  })
