/** Standard Webhooks 1.0.0, scheme v1: HMAC-SHA256 over `id.timestamp.body`, keyed with the decoded secret. */
import { fromBase64, toBase64 } from './base64.ts'
import type { RandomBytes } from './ids.ts'

const PREFIX = 'whsec_'
/** Of the 24 to 64 that the specification allows; a multiple of three, so that the base64 needs no padding. */
const SECRET_BYTES = 24

export const mintSecret = (randomBytes: RandomBytes) => PREFIX + toBase64(randomBytes(SECRET_BYTES))

/** The `webhook-signature` value. `timestamp` in whole seconds since the epoch; `body` is exactly what is sent. */
export async function sign(secret: string, id: string, timestamp: number, body: string): Promise<string> {
  const raw = fromBase64(secret.slice(PREFIX.length))
  if (!secret.startsWith(PREFIX) || raw.byteLength < SECRET_BYTES)
    throw new Error('A signing secret is malformed.')
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signed = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestamp}.${body}`))
  return `v1,${toBase64(new Uint8Array(signed))}`
}
