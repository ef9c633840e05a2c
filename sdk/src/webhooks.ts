/** Webhooks by Standard Webhooks 1.0.0: `v1` is HMAC-SHA256 under a secret, `v1a` is Ed25519 under a public key. */
import { GatewayError } from './errors.ts'
import type { Webhooks } from './generated/types.gen.ts'
import { webCrypto } from './web-crypto.ts'

/** Each type of event by its `type`. There may be more in time: answer 2xx to those, too. */
export type WebhookEvent = Webhooks['body']

export type WebhookFault = 'headers-missing' | 'timestamp-off' | 'no-signature-holds' | 'not-an-event'

/** Not to be trusted: answer 401, and look at nothing of it. */
export class WebhookVerificationError extends GatewayError {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookFault

  constructor(reason: WebhookFault, message: string) {
    super(message)
    this.reason = reason
  }
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  readonly now?: () => number
  /** How far from our clock a webhook's time may be, on either side. */
  readonly toleranceSeconds?: number
}

/**
 * The event, if one of the signatures holds under one of the keys. `body`: the bytes as they came, or their text; never what was
 * parsed and written anew. `keys`: secrets (`whsec_…`) and public keys (`whpk_…`), several of them while one is replaced.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  keys: string | readonly string[],
  { now = Date.now, toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = readHeaders(headers)
  if (Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('timestamp-off', `Its time is over ${toleranceSeconds} s from ours.`)

  const bytes = typeof body === 'string' ? encode(body) : new Uint8Array(body)
  const signed = joined(encode(`${id}.${timestamp}.`), bytes)
  if (!(await anyHolds(signatures.split(' '), [keys].flat(), signed)))
    throw new WebhookVerificationError('no-signature-holds', 'No signature holds under any of the keys.')
  return eventIn(bytes)
}

function readHeaders(headers: WebhookHeaders): [id: string, timestamp: string, signatures: string] {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => header(headers, name))
  if (!id || !signatures || !/^[0-9]{1,12}$/.test(timestamp ?? ''))
    throw new WebhookVerificationError('headers-missing', 'A webhook- header is missing or malformed.')
  return [id, timestamp ?? '', signatures]
}

function header(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(`webhook-${name}`)
  const entries = Object.entries(headers).filter(([key]) => key.toLowerCase() === `webhook-${name}`)
  const [value, second] = entries.flatMap(([, given]) => given ?? [])
  return second === undefined ? (value ?? null) : null
}

/** All are tried, so that the time tells nothing; WebCrypto compares in constant time. */
async function anyHolds(signatures: string[], keys: readonly string[], signed: Bytes): Promise<boolean> {
  const imported = await Promise.all(keys.map(importKey))
  const verdicts = imported.flatMap((key) => signatures.map((signature) => key(signature, signed)))
  return (await Promise.all(verdicts)).includes(true)
}

type Bytes = Uint8Array<ArrayBuffer>
type Check = (signature: string, signed: Bytes) => Promise<boolean>

/** A key that is none is a fault of the receiver's, not of the webhook. */
async function importKey(text: string): Promise<Check> {
  const [, prefix, base64 = ''] = /^(whsec|whpk)_([A-Za-z0-9+/]{32,88}={0,2})$/.exec(text) ?? []
  const raw = fromBase64(base64)
  if (!raw || (prefix === 'whpk' && raw.length !== 32))
    throw new TypeError('A key is whsec_… or whpk_…, as the API answered it, with nothing before or after.')
  const { subtle } = await webCrypto()
  const algorithm = prefix === 'whsec' ? { name: 'HMAC', hash: 'SHA-256' } : { name: 'Ed25519' }
  const key = await subtle.importKey('raw', raw, algorithm, false, ['verify'])
  const scheme = prefix === 'whsec' ? 'v1,' : 'v1a,'
  return async (signature, signed) => {
    const given = signature.startsWith(scheme) ? fromBase64(signature.slice(scheme.length)) : null
    return given !== null && (await subtle.verify(algorithm.name, key, given, signed))
  }
}

function fromBase64(text: string): Bytes | null {
  if (!/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return null
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

const encode = (text: string): Bytes => new Uint8Array(new TextEncoder().encode(text))

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

function eventIn(bytes: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes),
    )
    if (typeof (event as WebhookEvent | null)?.type === 'string') return event as WebhookEvent
  } catch {
    // Told below.
  }
  throw new WebhookVerificationError('not-an-event', 'The signature holds, but the body is no event.')
}
