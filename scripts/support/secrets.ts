/** Fresh secrets for a local run: the issuer's signing key and a key-encryption key. */

export interface LocalSecrets {
  /** Value of the secret `SIGNING_KEYS`. */
  readonly SIGNING_KEYS: string
  /** Value of the secret `KEY_ENCRYPTION_KEYS`. */
  readonly KEY_ENCRYPTION_KEYS: string
  /** The private signing key, so that tests can mint tokens. */
  readonly signingKey: Record<string, string>
}

export async function localSecrets(): Promise<LocalSecrets> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const { kty, crv, x, y, d } = await crypto.subtle.exportKey('jwk', pair.privateKey)
  const signingKey = { kid: crypto.randomUUID(), alg: 'ES256', ...({ kty, crv, x, y, d } as Record<string, string>) }
  const kek = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
  return {
    signingKey,
    SIGNING_KEYS: JSON.stringify([signingKey]),
    KEY_ENCRYPTION_KEYS: JSON.stringify({ local: kek }),
  }
}
