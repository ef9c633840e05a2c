/** Webhook signatures as receivers check them. */
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import type { Received } from './receiver.ts'

/** Whether a v1 signature verifies by the secret: in the eyes of both libraries, which must be of one opinion. */
export function verifiesBy(secret: string, { headers, text }: Received): boolean {
  const verdicts = [StandardWebhook, SvixWebhook].map((Verifier) => {
    try {
      new Verifier(secret).verify(text, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  })
  const [first, second] = verdicts
  if (first !== second) throw new Error('The libraries do not agree.')
  return first === true
}

/** Of a scheme, `v1` or `v1a`, in base64. */
export const signaturesOf = ({ headers }: Received, scheme: 'v1' | 'v1a'): string[] =>
  String(headers['webhook-signature'])
    .split(' ')
    .filter((one) => one.startsWith(`${scheme},`))
    .map((one) => one.slice(scheme.length + 1))

const bytesOf = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'))

/** Whether a v1a signature verifies by the public key (`whpk_…`). */
export async function verifiesByKey(publicKey: string, received: Received): Promise<boolean> {
  const raw = bytesOf(publicKey.slice('whpk_'.length))
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
  const { headers, text } = received
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`)
  const verdicts = signaturesOf(received, 'v1a').map((signature) =>
    crypto.subtle.verify('Ed25519', key, bytesOf(signature), content),
  )
  return (await Promise.all(verdicts)).includes(true)
}
