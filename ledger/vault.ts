/**
 * Secrets at rest: AES-GCM under a key-encryption key that lives outside of the ledger. A sealed text names its key, so that
 * keys can be changed: the first seals, all open. `KEY_ENCRYPTION_KEYS` is `{ "<kid>": "<32 bytes, base64>" }`; a kid starts with
 * a letter, since JSON objects do not keep the order of numbers.
 */
import { z } from '@hono/zod-openapi'
import { fromBase64, toBase64 } from './base64.ts'
import type { RandomBytes } from './ids.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 12

const Keys = z
  .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,31}$/), z.base64())
  .refine((keys) => Object.keys(keys).length > 0, { error: 'At least one key.' })

async function importKey(raw: string): Promise<CryptoKey> {
  const bytes = fromBase64(raw)
  if (bytes.byteLength !== KEY_BYTES) throw new Error('A key-encryption key is not of 32 bytes.')
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** Seals a secret for one owner: the owner's ID is authenticated with it, so a sealed text cannot be moved to another. */
export async function seal(
  keys: string,
  secret: string,
  owner: string,
  randomBytes: RandomBytes,
): Promise<string> {
  const [entry] = Object.entries(Keys.parse(JSON.parse(keys)))
  if (!entry) throw new Error('There is no key-encryption key.')
  const [kid, raw] = entry
  const iv = randomBytes(NONCE_BYTES)
  const encoder = new TextEncoder()
  const algorithm = { name: 'AES-GCM', iv, additionalData: encoder.encode(owner) }
  const sealed = await crypto.subtle.encrypt(algorithm, await importKey(raw), encoder.encode(secret))
  return [kid, toBase64(iv), toBase64(new Uint8Array(sealed))].join('.')
}

/** Opens what was sealed for this owner; throws if it was not, or its key is not here. */
export async function open(keys: string, sealed: string, owner: string): Promise<string> {
  const [kid = '', iv = '', text = ''] = sealed.split('.')
  const raw = new Map(Object.entries(Keys.parse(JSON.parse(keys)))).get(kid)
  if (!raw) throw new Error('The key of a sealed secret is not here.')
  const algorithm = { name: 'AES-GCM', iv: fromBase64(iv), additionalData: new TextEncoder().encode(owner) }
  return new TextDecoder().decode(
    await crypto.subtle.decrypt(algorithm, await importKey(raw), fromBase64(text)),
  )
}

/** The same under the first key, so that the one that it was sealed under may go; null for what is sealed under the first already. */
export async function resealed(
  keys: string,
  sealed: string,
  owner: string,
  randomBytes: RandomBytes,
): Promise<string | null> {
  const [first] = Object.keys(Keys.parse(JSON.parse(keys)))
  if (sealed.startsWith(`${first}.`)) return null
  return seal(keys, await open(keys, sealed, owner), owner, randomBytes)
}
