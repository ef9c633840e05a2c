/** Making an endpoint's signing keys. What is secret leaves here sealed, but for the secret that is shown once. */
import { mintId, type RandomBytes } from '../ids.ts'
import type { SigningKey } from '../schema.ts'
import { seal } from '../vault.ts'
import { mintSecret, mintSeed } from './signature.ts'

export interface MintedKey {
  readonly key: SigningKey
  /** `whsec_…`, to be shown once. */
  readonly secret: string
}

/** A fresh key of an endpoint, sealed under the first of `keyEncryptionKeys`; with the owner's own secret, if there is one. */
export async function mintKey(
  keyEncryptionKeys: string,
  endpointId: string,
  now: number,
  randomBytes: RandomBytes,
  ownSecret?: string,
): Promise<MintedKey> {
  const secret = ownSecret ?? mintSecret(randomBytes)
  const { seed, publicKey } = await mintSeed(randomBytes)
  const sealed = (text: string) => seal(keyEncryptionKeys, text, endpointId, randomBytes)
  const [sealedSecret, sealedSeed] = await Promise.all([sealed(secret), sealed(seed)])
  const id = mintId('whk', 0, now, randomBytes)
  return { secret, key: { id, sealedSecret, sealedSeed, publicKey, createdAt: now, expiresAt: null } }
}
