import { describe, expect, it } from 'vitest'
import { fromBase64, toBase64 } from '../base64.ts'
import { randomBytes } from '../ids.ts'
import { mintSecret, mintSeed, sign } from './signature.ts'

/** Published with the Go library of Standard Webhooks; the public key was derived from it. */
const vector = {
  seed: 'whsk_VEVTVFNJR05JTkdLRVlET05PVFVTRVRISVNGT1JBTlk=',
  publicKey: 'whpk_ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c/g=',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag==',
}
const { id, timestamp, body } = vector
const by = (...seeds: string[]) => ({ secrets: [], seeds })

/** As a receiver does, with nothing of ours: whether one of the signatures holds under the public key. */
async function verify(publicKey: string, header: string, content: string): Promise<boolean> {
  const raw = fromBase64(publicKey.slice('whpk_'.length))
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
  const signed = new TextEncoder().encode(content)
  const signatures = header.split(' ').filter((one) => one.startsWith('v1a,'))
  const held = signatures.map((one) => crypto.subtle.verify('Ed25519', key, fromBase64(one.slice(4)), signed))
  return (await Promise.all(held)).includes(true)
}

describe('an asymmetric signature', () => {
  it('is that of the published vector', async () => {
    expect(await sign(by(vector.seed), id, timestamp, body)).toBe(vector.signature)
    expect(await verify(vector.publicKey, vector.signature, `${id}.${timestamp}.${body}`)).toBe(true)
  })

  it.each(['{"type":"job.accepted"}', '{"text":"すべての人間は 👍"}', '[]'])(
    'holds under the public key for %s and nothing else',
    async (text) => {
      const { seed, publicKey } = await mintSeed(randomBytes)
      const header = await sign(by(seed), id, timestamp, text)

      expect(await verify(publicKey, header, `${id}.${timestamp}.${text}`)).toBe(true)
      expect(await verify(publicKey, header, `${id}.${timestamp}.${text} `)).toBe(false)
      expect(await verify(publicKey, header, `${id}.${timestamp + 1}.${text}`)).toBe(false)
      expect(await verify(vector.publicKey, header, `${id}.${timestamp}.${text}`)).toBe(false)
    },
  )

  it('stands once for each seed, after those of the secrets', async () => {
    const secrets = [mintSecret(randomBytes), mintSecret(randomBytes)]
    const [present, former] = [await mintSeed(randomBytes), await mintSeed(randomBytes)]
    const header = await sign({ secrets, seeds: [present.seed, former.seed] }, id, timestamp, body)

    expect(header.split(' ').map((one) => one.split(',')[0])).toEqual(['v1', 'v1', 'v1a', 'v1a'])
    for (const { publicKey } of [present, former])
      expect(await verify(publicKey, header, `${id}.${timestamp}.${body}`)).toBe(true)
  })

  it.each([
    ['is empty', ''],
    ['is a prefix only', 'whsk_'],
    ['has no prefix', vector.seed.slice(5)],
    ['is a secret', vector.seed.replace('whsk_', 'whsec_')],
    ['is a public key', vector.publicKey],
    ['has 31 bytes', `whsk_${toBase64(randomBytes(31))}`],
    ['has 64 bytes', `whsk_${toBase64(randomBytes(64))}`],
    ['lacks its padding', vector.seed.replace('=', '')],
    ['is no base64', `whsk_${'!'.repeat(43)}=`],
  ])('is not made with a seed that %s', async (_, seed) => {
    await expect(sign(by(seed), id, timestamp, body)).rejects.toThrow('malformed')
  })
})

describe('a seed', () => {
  it('is 32 bytes, with the public key that follows from them', async () => {
    const minted = await mintSeed(() => fromBase64(vector.seed.slice('whsk_'.length)))

    expect(minted).toEqual({ seed: vector.seed, publicKey: vector.publicKey })
  })

  it('is fresh each time', async () => {
    const minted = await Promise.all(Array.from({ length: 20 }, () => mintSeed(randomBytes)))

    for (const member of ['seed', 'publicKey'] as const)
      expect(new Set(minted.map((one) => one[member])).size).toBe(20)
  })
})
