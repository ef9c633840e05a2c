/**
 * Standard Webhooks 1.0.0: signatures over `id.timestamp.body`. Scheme v1 is HMAC-SHA256, keyed with the decoded `whsec_` secret; v1a
 * is Ed25519 (RFC 8032), from the `whsk_` seed, verified by the `whpk_` public key.
 */
import { fromBase64, fromBase64url, toBase64 } from '../base64.ts'
import type { RandomBytes } from '../ids.ts'

const SECRET_PREFIX = 'whsec_'
const SEED_PREFIX = 'whsk_'
const PUBLIC_PREFIX = 'whpk_'
/** A multiple of three, so that the base64 needs no padding. */
const SECRET_BYTES = 24
const SEED_BYTES = 32

interface Lengths {
  readonly least: number
  readonly most: number
}
const secretLengths: Lengths = { least: 24, most: 64 }
const seedLengths: Lengths = { least: SEED_BYTES, most: SEED_BYTES }
/** Everything of an Ed25519 private key in PKCS #8 before its seed (RFC 8410, section 7). */
const PKCS8_HEAD = fromBase64('MC4CAQAwBQYDK2VwBCIEIA==')

export const mintSecret = (randomBytes: RandomBytes) => SECRET_PREFIX + toBase64(randomBytes(SECRET_BYTES))

/** Whether this is `whsec_` and the padded standard base64 (RFC 4648, section 4) of 24 to 64 bytes: a secret that signs. */
export const isSecret = (text: string): boolean => decoded(SECRET_PREFIX, text, secretLengths) !== null

export interface Seed {
  /** `whsk_` and the 32 bytes in base64. */
  readonly seed: string
  /** `whpk_` and the 32 bytes of the public key in base64. */
  readonly publicKey: string
}

export async function mintSeed(randomBytes: RandomBytes): Promise<Seed> {
  const raw = randomBytes(SEED_BYTES)
  const { x } = (await crypto.subtle.exportKey('jwk', await privateKey(raw, true))) as JsonWebKey
  return { seed: SEED_PREFIX + toBase64(raw), publicKey: PUBLIC_PREFIX + toBase64(fromBase64url(x ?? '')) }
}

export interface SigningKeys {
  /** `whsec_…`, a signature each. */
  readonly secrets: readonly string[]
  /** `whsk_…`, a signature each. */
  readonly seeds: readonly string[]
}

/**
 * The `webhook-signature` value. `timestamp` in whole seconds since the epoch; `body` is exactly what is sent. Throws on a malformed
 * key and without any, and on an ID or a timestamp that leaves open where it ends within the text that is signed.
 */
export async function sign(
  { secrets, seeds }: SigningKeys,
  id: string,
  timestamp: number,
  body: string,
): Promise<string> {
  if (id === '' || id.includes('.')) throw new Error('An event ID must not hold a full stop.')
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) throw new Error('A timestamp is of whole seconds.')
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signatures = [
    ...secrets.map((secret) => signWithSecret(secret, content)),
    ...seeds.map((seed) => signWithSeed(seed, content)),
  ]
  if (signatures.length === 0) throw new Error('There is no key to sign with.')
  return (await Promise.all(signatures)).join(' ')
}

async function signWithSecret(secret: string, content: Uint8Array): Promise<string> {
  const raw = decoded(SECRET_PREFIX, secret, secretLengths)
  if (!raw) throw new Error('A signing secret is malformed.')
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign('HMAC', key, content)))}`
}

async function signWithSeed(seed: string, content: Uint8Array): Promise<string> {
  const raw = decoded(SEED_PREFIX, seed, seedLengths)
  if (!raw) throw new Error('A signing seed is malformed.')
  const signed = await crypto.subtle.sign('Ed25519', await privateKey(raw, false), content)
  return `v1a,${toBase64(new Uint8Array(signed))}`
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The bytes after the prefix; null when the text is of another form. There is one text for each key: no other decodes to its bytes. */
function decoded(prefix: string, text: string, { least, most }: Lengths): Uint8Array<ArrayBuffer> | null {
  const encoded = text.slice(prefix.length)
  if (!text.startsWith(prefix) || encoded.length > 2 * most || !base64.test(encoded)) return null
  const bytes = fromBase64(encoded)
  return toBase64(bytes) === encoded && bytes.length >= least && bytes.length <= most ? bytes : null
}

const privateKey = (seed: Uint8Array, extractable: boolean) =>
  crypto.subtle.importKey('pkcs8', new Uint8Array([...PKCS8_HEAD, ...seed]), 'Ed25519', extractable, ['sign'])
