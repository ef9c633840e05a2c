import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, it } from 'vitest'
import { randomBytes } from '../../ledger/ids.ts'
import { mintSecret, mintSeed, type SigningKeys, sign } from '../../ledger/webhooks/signature.ts'
import { verifyWebhook, type WebhookHeaders } from './webhooks.ts'

const body = '{"id":"evt_1","object":"event","type":"job.accepted","data":{"id":"job_1","note":"人間 👍"}}'
const at = 1_796_000_000
const now = () => at * 1000
const verify = (headers: WebhookHeaders, keys: string | string[], text: string | Uint8Array = body) =>
  verifyWebhook(text, headers, keys, { now })

const headersOf = (signature: string, timestamp = at) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
})

const signedBy = async (keys: Partial<SigningKeys>, timestamp = at) =>
  headersOf(await sign({ secrets: [], seeds: [], ...keys }, 'evt_1', timestamp, body), timestamp)

const secret = mintSecret(randomBytes)
const good = await signedBy({ secrets: [secret] })
const fault = (reason: string) => expect.objectContaining({ name: 'WebhookVerificationError', reason })

describe('a webhook', () => {
  it.each([
    ['standardwebhooks', StandardWebhook],
    ['svix', SvixWebhook],
  ])('that %s has signed is genuine', async (_, Webhook) => {
    const signature = new Webhook(secret).sign('evt_1', new Date(now()), body)

    expect(await verify(headersOf(signature), secret)).toMatchObject({ id: 'evt_1', type: 'job.accepted' })
  })

  it('that is the vector of the documentation is genuine', async () => {
    const vector = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const verified = verifyWebhook('{"test": 2432232314}', vector, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
      now: () => 1_614_265_330_000,
    })

    await expect(verified).rejects.toThrow(fault('not-an-event'))
  })

  it('is read from bytes as from text, and from any kind of headers', async () => {
    const bytes = new TextEncoder().encode(body)
    const capitals = Object.fromEntries(
      Object.entries(good).map(([name, value]) => [name.toUpperCase(), [value]]),
    )

    for (const headers of [good, new Headers(good), capitals])
      for (const text of [body, bytes, bytes.buffer as ArrayBuffer])
        expect(await verify(headers, secret, text as string)).toMatchObject({ data: { note: '人間 👍' } })
  })

  it('is genuine by a public key', async () => {
    const { seed, publicKey } = await mintSeed(randomBytes)
    const headers = await signedBy({ seeds: [seed] })

    expect(await verify(headers, publicKey)).toMatchObject({ type: 'job.accepted' })
    await expect(verify(headers, publicKey, body.replace('job_1', 'job_2'))).rejects.toThrow(
      fault('no-signature-holds'),
    )
  })

  it('is genuine by any of its signatures under any of the keys', async () => {
    const [old, fresh] = [mintSecret(randomBytes), mintSecret(randomBytes)]
    const { seed, publicKey } = await mintSeed(randomBytes)
    const headers = await signedBy({ secrets: [old, secret], seeds: [seed] })
    const among = headersOf(`v1,%%% v1, v2,AAAA ${headers['webhook-signature']}`)

    for (const keys of [secret, old, publicKey, [fresh, secret], [publicKey, fresh]])
      expect(await verify(among, keys)).toMatchObject({ id: 'evt_1' })
    await expect(verify(among, fresh)).rejects.toThrow(fault('no-signature-holds'))
  })

  it.each([300, -300])('may be %i s away from our clock', async (seconds) => {
    expect(await verify(await signedBy({ secrets: [secret] }, at + seconds), secret)).toBeTruthy()
  })

  it.each([301, -301])('may not be %i s away', async (seconds) => {
    const headers = await signedBy({ secrets: [secret] }, at + seconds)

    await expect(verify(headers, secret)).rejects.toThrow(fault('timestamp-off'))
  })

  const signature = good['webhook-signature']
  const altered = signature.replace(/,(.)/, (_, first: string) => (first === 'A' ? ',B' : ',A'))
  it.each([
    ['another ID', { ...good, 'webhook-id': 'evt_2' }, 'no-signature-holds'],
    ['another timestamp', { ...good, 'webhook-timestamp': String(at + 1) }, 'no-signature-holds'],
    ['another scheme', headersOf(signature.replace('v1,', 'v1a,')), 'no-signature-holds'],
    ['an altered signature', headersOf(altered), 'no-signature-holds'],
    ['a signature that is cut', headersOf(signature.slice(0, -4)), 'no-signature-holds'],
    ['a signature in base64url', headersOf('v1,-_-_'), 'no-signature-holds'],
    ['an empty signature', headersOf('v1,'), 'no-signature-holds'],
    ['no signature', { ...good, 'webhook-signature': undefined }, 'headers-missing'],
    ['two signature headers', { ...good, 'webhook-signature': [signature, signature] }, 'headers-missing'],
    ['no ID', { ...good, 'webhook-id': '' }, 'headers-missing'],
    ['a timestamp that is none', { ...good, 'webhook-timestamp': 'NaN' }, 'headers-missing'],
    ['a timestamp with more after it', { ...good, 'webhook-timestamp': `${at} ` }, 'headers-missing'],
  ])('with %s is refused', async (_, headers, reason) => {
    await expect(verify(headers, secret)).rejects.toThrow(fault(reason))
  })

  it('is refused in other bytes, if they mean the same', async () => {
    await expect(verify(good, secret, body.replaceAll(',', ', '))).rejects.toThrow(
      fault('no-signature-holds'),
    )
  })

  it('is refused without keys', async () => {
    await expect(verify(good, [])).rejects.toThrow(fault('no-signature-holds'))
  })

  it.each([
    '',
    'whsec_',
    secret.slice(6),
    `v1,${secret}`,
    `${secret} `,
    'whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ])('cannot be verified by "%s", which is a fault of the receiver', async (key) => {
    await expect(verify(good, key)).rejects.toThrow(TypeError)
  })
})
