import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, it } from 'vitest'
import { toBase64 } from '../base64.ts'
import { mintId, randomBytes } from '../ids.ts'
import { isSecret, mintSecret, mintSeed, type SigningKeys, sign } from './signature.ts'

const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const by = (secret: string) => ({ secrets: [secret], seeds: [] })
const verifiers = { standardwebhooks: StandardWebhook, svix: SvixWebhook }

/** Headers of a webhook that was sent now. */
async function sentNow(keys: SigningKeys, body: string) {
  const id = mintId('evt', 0, Date.now(), randomBytes)
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': await sign(keys, id, timestamp, body),
  }
}

describe('a signature', () => {
  it('is that of the published vector', async () => {
    const { secret, id, timestamp, body, signature } = vector

    expect(await sign(by(secret), id, timestamp, body)).toBe(signature)
  })

  it.each([
    ['the secret', { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx' }],
    ['the ID', { id: 'msg_p5jXN8AQM9LWM0D4loKWxJel' }],
    ['the timestamp', { timestamp: 1_614_265_331 }],
    ['the body', { body: '{"test":2432232314}' }],
  ])('changes with %s', async (_, change) => {
    const { secret, id, timestamp, body } = { ...vector, ...change }

    expect(await sign(by(secret), id, timestamp, body)).not.toBe(vector.signature)
  })

  it('stands once for each secret, the present one first', async () => {
    const { secret, id, timestamp, body, signature } = vector
    const other = mintSecret(randomBytes)
    const header = await sign({ secrets: [secret, other], seeds: [] }, id, timestamp, body)

    expect(header.split(' ')).toEqual([signature, await sign(by(other), id, timestamp, body)])
  })

  it.each([
    ['no key', { secrets: [], seeds: [] }, vector.id, vector.timestamp],
    ['an ID that is empty', by(vector.secret), '', vector.timestamp],
    ['an ID with a full stop', by(vector.secret), 'msg.1', vector.timestamp],
    ['a timestamp before the epoch', by(vector.secret), vector.id, -161_426_533],
    ['a timestamp with parts of a second', by(vector.secret), vector.id, 161_426_533.5],
    ['no timestamp', by(vector.secret), vector.id, Number.NaN],
  ])('is not made with %s', async (_, keys, id, timestamp) => {
    await expect(sign(keys, id, timestamp, vector.body)).rejects.toThrow()
  })

  describe.each(Object.entries(verifiers))('in the eyes of %s', (_, Verifier) => {
    it.each(['{"type":"job.accepted"}', '{"text":"すべての人間は 👍"}', '[]'])(
      'holds for %s',
      async (body) => {
        const secret = mintSecret(randomBytes)
        const headers = await sentNow(by(secret), body)

        expect(() => new Verifier(secret).verify(body, headers)).not.toThrow()
      },
    )

    it('does not hold for another body, nor under another secret', async () => {
      const [secret, other] = [mintSecret(randomBytes), mintSecret(randomBytes)]
      const headers = await sentNow(by(secret), '{"a":1}')

      expect(() => new Verifier(secret).verify('{"a":2}', headers)).toThrow()
      expect(() => new Verifier(other).verify('{"a":1}', headers)).toThrow()
    })

    it('holds for each secret and next to seeds, as while keys rotate', async () => {
      const secrets = [mintSecret(randomBytes), mintSecret(randomBytes), mintSecret(randomBytes)]
      const seeds = [(await mintSeed(randomBytes)).seed, (await mintSeed(randomBytes)).seed]
      const headers = await sentNow({ secrets, seeds }, '{}')

      for (const secret of secrets) expect(() => new Verifier(secret).verify('{}', headers)).not.toThrow()
    })

    it('holds amid others, of schemes that nobody knows too', async () => {
      const secret = mintSecret(randomBytes)
      const headers = await sentNow(by(secret), '{}')
      const bogus = 'Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc='
      const amid = `v1,${bogus} v2,${bogus} ${headers['webhook-signature']} v1,${bogus}`

      expect(() => new Verifier(secret).verify('{}', { ...headers, 'webhook-signature': amid })).not.toThrow()
    })

    it.each([
      [
        'with a last character changed',
        (text: string) => text.replace(/.=$/, (end) => (end === 'A=' ? 'E=' : 'A=')),
      ],
      ['cut short', (text: string) => text.slice(0, 8)],
      ['left empty', () => 'v1,'],
      ['of another scheme', (text: string) => text.replace('v1,', 'v2,')],
    ])('does not hold %s', async (_what, damage) => {
      const secret = mintSecret(randomBytes)
      const headers = await sentNow(by(secret), '{}')
      const damaged = { ...headers, 'webhook-signature': damage(headers['webhook-signature']) }

      expect(() => new Verifier(secret).verify('{}', damaged)).toThrow()
    })
  })
})

describe('a secret', () => {
  it('is whsec_ and 24 fresh bytes in base64 without padding', () => {
    const secrets = Array.from({ length: 100 }, () => mintSecret(randomBytes))

    expect(new Set(secrets).size).toBe(100)
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  })

  it.each([
    ['without its prefix', vector.secret.slice(6)],
    ['of another prefix', vector.secret.replace('whsec_', 'whsk__')],
    ['that is empty', ''],
    ['that is a prefix only', 'whsec_'],
    ['of less than 24 bytes', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLQ=='],
    ['that is not base64', 'whsec_!fKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ])('%s signs nothing', async (_, secret) => {
    await expect(sign(by(secret), vector.id, vector.timestamp, vector.body)).rejects.toThrow()
  })
})

const secretOf = (bytes: number) => `whsec_${toBase64(randomBytes(bytes))}`

describe('a secret that a customer brings', () => {
  it.each([24, 25, 26, 32, 48, 64])('may have %i bytes', async (bytes) => {
    const secret = secretOf(bytes)

    expect(isSecret(secret)).toBe(true)
    expect(() => new StandardWebhook(secret).sign(vector.id, new Date(), '{}')).not.toThrow()
    await expect(sign(by(secret), vector.id, vector.timestamp, vector.body)).resolves.toMatch(/^v1,/)
  })

  it.each([
    ['is empty', ''],
    ['is a prefix only', 'whsec_'],
    ['has 23 bytes', secretOf(23)],
    ['has 65 bytes', secretOf(65)],
    ['has a megabyte', `whsec_${'A'.repeat(1_048_576)}`],
    ['has no prefix', secretOf(24).slice(6)],
    ['has its prefix in capitals', secretOf(24).replace('whsec_', 'WHSEC_')],
    ['is a seed', secretOf(32).replace('whsec_', 'whsk_')],
    ['has the prefix of a signature', `v1,${secretOf(24)}`],
    ['has a space before it', ` ${secretOf(24)}`],
    ['has a line break after it', `${secretOf(24)}\n`],
    ['has a space within', 'whsec_MfKQ9r8GKYqrTwjU PD8ILPZIo2LaLaSw'],
    ['is in base64url', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La-_Sw'],
    ['lacks its padding', secretOf(25).replaceAll('=', '')],
    ['has padding too much', `${secretOf(24)}==`],
    ['has padding within', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLQ==MfKQ'],
    ['has bits that count for nothing', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMR=='],
    ['has characters beyond ASCII', `whsec_${'あ'.repeat(32)}`],
  ])('is refused when it %s', async (_, secret) => {
    expect(isSecret(secret)).toBe(false)
    await expect(sign(by(secret), vector.id, vector.timestamp, vector.body)).rejects.toThrow('malformed')
  })
})
