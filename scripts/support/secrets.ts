/** Fresh secrets for a local run: the issuer's signing key and a key-encryption key. */
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

export async function localSecrets(): Promise<LocalSecrets> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = (await exportJWK(privateKey)) as Record<string, string>
  const signingKey = { ...jwk, kid: randomUUID(), alg: 'ES256' }
  return {
    signingKey,
    SIGNING_KEYS: JSON.stringify([signingKey]),
    KEY_ENCRYPTION_KEYS: JSON.stringify({ local: randomBytes(32).toString('base64') }),
  }
}
