import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { randomBytes } from '../ledger/ids.ts'
import { mintSecret, mintSeed, type SigningKeys, sign } from '../ledger/webhooks/signature.ts'
import { inLedger } from './support/control.ts'
import { Receiver } from './support/receiver.ts'
import { freeUrl, page, startSample } from './support/sample-receiver.ts'
import { newTenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const BODY = '{"id":"evt_1","type":"job.accepted","data":{"id":"job_1"}}'
const nowSeconds = () => Math.floor(Date.now() / 1000)

/** The headers of a webhook with that body, signed by the keys given. */
async function signedWith(keys: SigningKeys, timestamp: number) {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': await sign(keys, 'evt_1', timestamp, BODY),
  }
}

const signedBy = (secret: string, timestamp = nowSeconds()) =>
  signedWith({ secrets: [secret], seeds: [] }, timestamp)

/** A signature that holds, of a time that makes no sense, which we never send. */
function signedAtNoTime(secret: string) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`evt_1.NaN.${BODY}`).digest('base64')
  return { 'webhook-id': 'evt_1', 'webhook-timestamp': 'NaN', 'webhook-signature': `v1,${signature}` }
}

async function newSample(keys: string) {
  return startSample(await freeUrl(), keys).ready()
}

/** The value in a row of the page's table of test vectors. */
function vector(row: string, nth = 0): string {
  const table = page.slice(page.indexOf('### Test vectors'))
  const cell = [...table.matchAll(new RegExp(`^\\| ${row}[^|]*\\| \`([^\`]+)\``, 'gm'))][nth]?.[1]
  if (cell === undefined) throw new Error(`The page has no vector for ${row}.`)
  return cell
}

/** Another first character after the scheme. */
const altered = (signature: string) => signature.replace(/,(.)/, (_, first) => (first === 'A' ? ',B' : ',A'))

describe('the receiver of the documentation', () => {
  it('takes the events of a job, and has them delivered', async () => {
    const acme = await newTenant()
    const url = await freeUrl()
    const { secret } = await acme.listens(new Receiver(url))
    const sample = await startSample(url, secret).ready()

    const { id } = await acme.submitted()
    await until('both events are delivered', async () => {
      const rows = await inLedger<{ status: string }>(acme.id, 'select status from deliveries')
      return rows.length === 2 && rows.every(({ status }) => status === 'delivered')
    })

    const lines = await until('both are worked off', () => {
      const printed = sample.printed.trim().split('\n')
      return printed.length === 2 && printed
    })
    expect(lines.map((line) => line.split(' ').slice(1)).sort()).toEqual([
      ['job.accepted', id],
      ['job.result_available', id],
    ])
  })

  it('takes what a public key verifies', async () => {
    const { seed, publicKey } = await mintSeed(randomBytes)
    const sample = await newSample(publicKey)
    const headers = await signedWith({ secrets: [], seeds: [seed] }, nowSeconds())

    expect(await sample.post(BODY, headers)).toBe(204)
    expect(await sample.post(BODY.replace('job_1', 'job_2'), headers)).toBe(401)
  })

  it('takes a right signature after wrong ones, under any of its keys', async () => {
    const [old, fresh] = [mintSecret(randomBytes), mintSecret(randomBytes)]
    const sample = await newSample(`${old} ${fresh}`)
    const timestamp = nowSeconds()
    const right = await signedBy(fresh, timestamp)
    const wrong = await signedBy(mintSecret(randomBytes), timestamp)
    const all = `${wrong['webhook-signature']} v1,%%% v1, v2,AAAA ${right['webhook-signature']}`

    expect(await sample.post(BODY, wrong)).toBe(401)
    expect(await sample.post(BODY, { ...right, 'webhook-signature': all })).toBe(204)
  })

  it('refuses what is not signed for these bytes, now', async () => {
    const secret = mintSecret(randomBytes)
    const sample = await newSample(secret)
    const good = await signedBy(secret)
    const signature = good['webhook-signature']
    const refused: Record<string, [body: string, headers: Record<string, string>]> = {
      'another secret': [BODY, await signedBy(mintSecret(randomBytes))],
      'another body': [BODY.replace('accepted', 'failed'), good],
      'the same body in other bytes': [BODY.replaceAll(',', ', '), good],
      'another ID': [BODY, { ...good, 'webhook-id': 'evt_2' }],
      'another timestamp': [BODY, { ...good, 'webhook-timestamp': String(nowSeconds() + 1) }],
      'an old timestamp': [BODY, await signedBy(secret, nowSeconds() - 330)],
      'a timestamp to come': [BODY, await signedBy(secret, nowSeconds() + 330)],
      'a timestamp that is none': [BODY, signedAtNoTime(secret)],
      'another scheme': [BODY, { ...good, 'webhook-signature': signature.replace('v1', 'v1a') }],
      'an altered signature': [BODY, { ...good, 'webhook-signature': altered(signature) }],
      'an empty signature': [BODY, { ...good, 'webhook-signature': 'v1,' }],
      'no signature': [BODY, { 'webhook-id': 'evt_1', 'webhook-timestamp': good['webhook-timestamp'] }],
    }

    for (const [what, [body, headers]] of Object.entries(refused))
      expect([what, await sample.post(body, headers)]).toEqual([what, 401])
    expect(sample.printed).toBe('')
    expect(await sample.post(BODY, good)).toBe(204)
  })

  it('works an event off once, however often it comes', async () => {
    const secret = mintSecret(randomBytes)
    const sample = await newSample(secret)

    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => sample.post(BODY, await signedBy(secret))),
    )
    statuses.push(await sample.post(BODY, await signedBy(secret)))

    expect(statuses).toEqual([204, 204, 204, 204, 204, 204])
    expect(await until('the event is worked off', () => sample.printed)).toBe('evt_1 job.accepted job_1\n')
  })

  it.each([
    ['secret', 0],
    ['public key', 1],
  ])('holds the vector of the %s at its time', async (key, nth) => {
    const seconds = Number(vector('`webhook-timestamp`'))
    const sample = startSample(await freeUrl(), vector(key), seconds * 1000)
    await sample.ready()
    const headers = {
      'webhook-id': vector('`webhook-id`'),
      'webhook-timestamp': String(seconds),
      'webhook-signature': vector('signature', nth),
    }

    expect(await sample.post(vector('body').replace(' ', ''), headers)).toBe(401)
    expect(await sample.post(vector('body'), headers)).toBe(204)
  })

  it.each(['v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', ''])(
    'does not start with "%s" for a key',
    async (keys) => {
      const sample = startSample(await freeUrl(), keys)

      await until('it has given up', () => sample.exitCode !== null)

      expect(sample.exitCode).not.toBe(0)
      expect(sample.complaints).toContain('A key is whsec_… or whpk_…')
    },
  )
})
