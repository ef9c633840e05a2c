import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, inject, it } from 'vitest'
import { BASE_URL } from './support/base-url.ts'
import { request } from './support/client.ts'
import { type Issuer, newIssuer, newKey, publicPart, readJobs, trust } from './support/issuer.ts'
import { nameThat } from './support/names.ts'
import { newTenant, type Tenant } from './support/tenant.ts'

const status = async (token: Promise<string>) => (await readJobs(await token)).status

async function trusted(more: object = {}): Promise<{ acme: Tenant; issuer: Issuer }> {
  const [acme, issuer] = await Promise.all([newTenant(), newIssuer()])
  await trust(acme, issuer, more)
  return { acme, issuer }
}

describe('the keys of an issuer', () => {
  it('are read again, once, for a key that is unknown, so that a new one is known at once', async () => {
    const { acme, issuer } = await trusted()
    expect([await status(issuer.token(acme.id)), issuer.readings()]).toEqual([200, 1])

    issuer.keys = [await newKey(), ...issuer.keys]
    expect([await status(issuer.token(acme.id)), issuer.readings()]).toEqual([200, 2])

    const unknown = Array.from({ length: 5 }, () =>
      status(issuer.token(acme.id, { header: { kid: randomUUID() } })),
    )
    expect(await Promise.all(unknown)).toEqual(Array(5).fill(401))
    expect(issuer.readings()).toBe(2)
  })

  it('that were taken back are good no more once the keys were read again', async () => {
    const { acme, issuer } = await trusted()
    const old = issuer.token(acme.id)
    expect(await status(old)).toBe(200)

    issuer.keys = [await newKey()]

    expect([await status(issuer.token(acme.id)), await status(old)]).toEqual([200, 401])
  })

  it('that took the place of others, under their names, leave the tokens of those good no more', async () => {
    const { acme, issuer } = await trusted()
    const [{ kid = '' } = {}] = issuer.keys
    const old = issuer.token(acme.id)
    expect(await status(old)).toBe(200)

    issuer.keys = [await newKey(), await newKey('ES256', kid)]

    expect([await status(issuer.token(acme.id)), await status(old)]).toEqual([200, 401])
    expect(await status(issuer.token(acme.id, {}, issuer.keys[1]))).toBe(200)
  })

  it('are not asked for a key of an algorithm that nobody may use', async () => {
    const { acme, issuer } = await trusted()
    const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt', kid: 'new' })).toString(
      'base64url',
    )
    const [, payload] = (await issuer.token(acme.id)).split('.')

    expect((await readJobs(`${header}.${payload}.AA`)).status).toBe(401)
    expect(issuer.readings()).toBe(1)
  })

  it('that are private are not gone by, and take no others along', async () => {
    const [acme, issuer, leaked] = await Promise.all([newTenant(), newIssuer(), newKey()])
    issuer.answers('keys', (_, response) =>
      response.end(JSON.stringify({ keys: [leaked, ...issuer.keys.map(publicPart)] })),
    )
    await trust(acme, issuer)

    expect(await status(issuer.token(acme.id))).toBe(200)
    expect(await status(issuer.token(acme.id, {}, leaked))).toBe(401)
  })
})

const says = (issuer: Issuer, more: object) =>
  issuer.answers(
    'metadata',
    sent(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/keys`, ...more })),
  )
const sent =
  (text: string): RequestListener =>
  (_, response) =>
    void response.end(text)
const movedTo =
  (path: string): RequestListener =>
  ({ headers }, response) =>
    void response.writeHead(302, { Location: `http://${headers.host}${path}` }).end()
const inflated: RequestListener = (_, response) =>
  void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('x'.repeat(10_000_000)))
const endless: RequestListener = (_, response) => void response.write('{')

describe('an issuer that is down', () => {
  it('leaves its tokens good as long as its keys are known', async () => {
    const { acme, issuer } = await trusted()
    issuer.goesDown()

    expect(await status(issuer.token(acme.id))).toBe(200)
    expect(await status(issuer.token(acme.id, { header: { kid: 'new' } }))).toBe(503)
    expect(await status(issuer.token(acme.id))).toBe(200)
  })

  it.each<[string, string, (issuer: Issuer) => void]>([
    ['answers 503', 'http_status', (issuer) => issuer.goesDown()],
    ['leads elsewhere', 'redirect', (issuer) => issuer.answers('keys', movedTo('/elsewhere'))],
    ['speaks for another', 'other_issuer', (issuer) => says(issuer, { issuer: 'https://evil.dev' })],
    ['leads into a network', 'url_refused', (issuer) => says(issuer, { jwks_uri: 'https://10.0.0.1/' })],
    [
      'leads there by a name',
      'url_refused',
      (issuer) => says(issuer, { jwks_uri: `https://${nameThat('private')}/` }),
    ],
    ['says too much', 'too_large', (issuer) => issuer.answers('keys', sent('x'.repeat(100_000)))],
    ['blows up what it says', 'too_large', (issuer) => issuer.answers('keys', inflated)],
    ['has no key set', 'no_key_set', (issuer) => issuer.answers('keys', sent('{}'))],
  ])('(%s) has its tokens wait, and is left alone', (_, error, change) => hasTokensWait(error, change))

  it('never answers, or never ends what it says, and costs five seconds once', async () => {
    await Promise.all([
      hasTokensWait('timeout', (issuer) => issuer.answers('metadata', null)),
      hasTokensWait('timeout', (issuer) => issuer.answers('keys', endless)),
    ])
  })

  async function hasTokensWait(error: string, change: (issuer: Issuer) => void) {
    const [acme, issuer] = await Promise.all([newTenant(), newIssuer()])
    change(issuer)
    const registered = await trust(acme, issuer)

    const tokens = Array.from({ length: 8 }, () => issuer.token(acme.id))
    const answers = await Promise.all(tokens.map(async (token) => readJobs(await token)))

    expect(registered).toMatchObject({ key_ids: [], keys_read_at: null, keys_error: error })
    for (const { status, headers, body } of answers) {
      expect([status, body.type]).toEqual([503, `${BASE_URL}/problems/unavailable`])
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
    }
    // It is asked again after five seconds, which can pass on a busy machine.
    expect(issuer.readings()).toBeLessThanOrEqual(2)
    expect(issuer.asked).not.toContain('/elsewhere')
  }
})

describe('a gateway that starts', () => {
  it('goes by the keys that another one read', async () => {
    const { acme, issuer } = await trusted()
    const token = await issuer.token(acme.id)
    const headers = { Authorization: `Bearer ${token}` }

    const { status } = await request('GET', '/v1/jobs', { headers, at: inject('stack').strictUrl })

    expect([status, issuer.readings()]).toEqual([200, 1])
  })
})
