import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, it } from 'vitest'
import { evict, inLedger } from './support/control.ts'
import { newReceiver, type Received } from './support/receiver.ts'
import { newTenant } from './support/tenant.ts'

/** What a tenant's endpoint gets that signs like this: the webhook, its secret, and the public key. */
async function told(signing: 'hmac' | 'ed25519' | 'both') {
  const acme = await newTenant()
  const receiver = await newReceiver()
  const { id, secret } = await acme.listens(receiver, ['job.accepted'])
  await inLedger(acme.id, 'update webhook_endpoints set signing = ? where id = ?', signing, id)
  const [row] = await inLedger<{ keys: string }>(acme.id, 'select keys from webhook_endpoints')
  await evict(acme.id)
  await acme.submitted()
  const received = await receiver.event('job.accepted')
  const [{ publicKey = '' } = {}] = JSON.parse(row?.keys ?? '[]') as { publicKey?: string }[]
  return { received, secret, publicKey, schemes: schemesOf(received) }
}

const signatureOf = ({ headers }: Received) => String(headers['webhook-signature'])
const schemesOf = (received: Received) =>
  signatureOf(received)
    .split(' ')
    .map((one) => one.split(',')[0])

const headersOf = ({ headers }: Received) => headers as Record<string, string>

function holdsUnderSecret(received: Received, secret: string): boolean {
  const verifiers = [new Webhook(secret), new SvixWebhook(secret)]
  return verifiers.every((verifier) => {
    try {
      return verifier.verify(received.text, headersOf(received)) !== null
    } catch {
      return false
    }
  })
}

/** As a receiver does with WebCrypto alone. */
async function holdsUnderPublicKey(received: Received, publicKey: string): Promise<boolean> {
  const raw = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64')
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headersOf(received)
  const content = new TextEncoder().encode(`${id}.${timestamp}.${received.text}`)
  const [signature = ''] = /(?<=(^| )v1a,)\S+/.exec(signatureOf(received)) ?? []
  return crypto.subtle.verify('Ed25519', key, Buffer.from(signature, 'base64'), content)
}

describe('a webhook', () => {
  it('is signed with the secret where its endpoint says so', async () => {
    const { received, secret, publicKey, schemes } = await told('hmac')

    expect(schemes).toEqual(['v1'])
    expect(holdsUnderSecret(received, secret)).toBe(true)
    expect(holdsUnderSecret({ ...received, text: `${received.text} ` }, secret)).toBe(false)
    expect(await holdsUnderPublicKey(received, publicKey)).toBe(false)
  })

  it('is signed for the public key alone where its endpoint says so', async () => {
    const { received, secret, publicKey, schemes } = await told('ed25519')

    expect(schemes).toEqual(['v1a'])
    expect(await holdsUnderPublicKey(received, publicKey)).toBe(true)
    expect(await holdsUnderPublicKey({ ...received, text: `${received.text} ` }, publicKey)).toBe(false)
    expect(holdsUnderSecret(received, secret)).toBe(false)
  })

  it('is signed by both, of which either is enough for a receiver', async () => {
    const { received, secret, publicKey, schemes } = await told('both')

    expect(schemes).toEqual(['v1', 'v1a'])
    expect(holdsUnderSecret(received, secret)).toBe(true)
    expect(await holdsUnderPublicKey(received, publicKey)).toBe(true)
  })

  it('is signed with keys of its endpoint alone', async () => {
    const [acme, globex] = await Promise.all([told('both'), told('both')])

    expect(acme.secret).not.toBe(globex.secret)
    expect(acme.publicKey).not.toBe(globex.publicKey)
    expect(holdsUnderSecret(acme.received, globex.secret)).toBe(false)
    expect(await holdsUnderPublicKey(acme.received, globex.publicKey)).toBe(false)
  })
})
