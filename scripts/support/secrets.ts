/** Fresh secrets of an installation: the issuer's signing key and a key-encryption key. */
import { randomBytes, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'

export interface LocalSecrets {
  /** Value of the secret `SIGNING_KEYS`. */
  readonly SIGNING_KEYS: string
  /** Value of the secret `KEY_ENCRYPTION_KEYS`. */
  readonly KEY_ENCRYPTION_KEYS: string
  /** The private signing key with its `kid`, so that tests can mint tokens. */
  readonly signingKey: Record<string, string>
}

/** A private JWK with a `kid`, as `SIGNING_KEYS` lists them. */
export async function newSigningKey(): Promise<Record<string, string>> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = (await exportJWK(privateKey)) as Record<string, string>
  return { ...jwk, kid: randomUUID(), alg: 'ES256' }
}

/** A member of `KEY_ENCRYPTION_KEYS`. */
export const newEncryptionKey = (keyId: string): Record<string, string> => ({
  [keyId]: randomBytes(32).toString('base64'),
})

/** `keyId` names the key-encryption key in what is sealed under it. */
export async function localSecrets(keyId = 'local'): Promise<LocalSecrets> {
  const signingKey = await newSigningKey()
  return {
    signingKey,
    SIGNING_KEYS: JSON.stringify([signingKey]),
    KEY_ENCRYPTION_KEYS: JSON.stringify(newEncryptionKey(keyId)),
  }
}
