import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Body } from './support/client.ts'
import { inLedger, logs } from './support/control.ts'
import { newReceiver } from './support/receiver.ts'
import { signaturesOf, verifiesBy, verifiesByKey } from './support/signatures.ts'
import { expectStatus, newTenant, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const pathOf = (id: string, verb = '') => `/v1/webhook_endpoints/${id}${verb}`

const rotate = (tenant: Tenant, id: string, body?: object, headers: Record<string, string> = {}) =>
  tenant.client.request('POST', pathOf(id, '/rotate_secret'), { ...(body && { json: body }), headers })

const rotated = async (tenant: Tenant, id: string, body?: object): Promise<Body> =>
  (await expectStatus(200, rotate(tenant, id, body))).body

const secretOf = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`

interface StoredKey {
  readonly id: string
  readonly expiresAt: number | null
}

const keysOf = async (tenant: Tenant): Promise<StoredKey[]> => {
  const [row] = await inLedger<{ keys: string }>(tenant.id, 'select keys from webhook_endpoints')
  return JSON.parse(row?.keys ?? '[]') as StoredKey[]
}

/** A tenant with one endpoint, and what it is sent when asked to. */
async function listening(more: object = {}) {
  const acme = await newTenant()
  const receiver = await newReceiver()
  const endpoint = await acme.listens(receiver, ['job.accepted'], more)
  const next = async () => {
    const count = receiver.received.length + 1
    await acme.submitted()
    const [last] = (await receiver.arrived(count)).slice(-1)
    if (!last) throw new Error('Nothing came.')
    return last
  }
  return { acme, receiver, endpoint, next }
}

describe('the signatures of a webhook', () => {
  it.each([
    ['hmac', 1, 0],
    ['ed25519', 0, 1],
    ['both', 1, 1],
  ])('are for %s %i of v1 and %i of v1a, and verify', async (signing, byHmac, byKey) => {
    const { endpoint, next } = await listening({ signing })

    const received = await next()

    expect(signaturesOf(received, 'v1')).toHaveLength(byHmac)
    expect(signaturesOf(received, 'v1a')).toHaveLength(byKey)
    expect(endpoint.public_keys).toHaveLength(byKey)
    if (byHmac) expect(verifiesBy(endpoint.secret, received)).toBe(true)
    if (byKey) expect(await verifiesByKey(endpoint.public_keys[0] ?? '', received)).toBe(true)
  })

  it('are those that the endpoint asks for now', async () => {
    const { acme, endpoint, next } = await listening()
    await expectStatus(200, acme.client.patch(pathOf(endpoint.id), { signing: 'ed25519' }))

    const { body } = await acme.get(pathOf(endpoint.id))
    const received = await next()

    expect(signaturesOf(received, 'v1')).toEqual([])
    expect(await verifiesByKey(body.public_keys[0] ?? '', received)).toBe(true)
  })
})

describe('rotating a secret', () => {
  it('lets both secrets and both key pairs sign side by side, for a day unless otherwise said', async () => {
    const { acme, endpoint, next } = await listening({ signing: 'both' })
    const before = Date.now()

    const fresh = await rotated(acme, endpoint.id)
    const received = await next()

    expect(fresh).toEqual({
      ...endpoint,
      public_keys: [expect.stringMatching(/^whpk_/), ...endpoint.public_keys],
      secret: expect.stringMatching(/^whsec_/),
    })
    expect(fresh.secret).not.toBe(endpoint.secret)
    expect(signaturesOf(received, 'v1')).toHaveLength(2)
    for (const secret of [endpoint.secret, fresh.secret]) expect(verifiesBy(secret, received)).toBe(true)
    for (const key of fresh.public_keys) expect(await verifiesByKey(key, received)).toBe(true)
    const [present, old] = await keysOf(acme)
    expect(present?.expiresAt).toBeNull()
    expect((old?.expiresAt ?? 0) - before).toBeGreaterThanOrEqual(86_400_000)
    expect((old?.expiresAt ?? 0) - Date.now()).toBeLessThanOrEqual(86_400_000)
  })

  it('with no overlap ends the old ones at once', async () => {
    const { acme, endpoint, next } = await listening({ signing: 'both' })
    const second = await rotated(acme, endpoint.id)

    const third = await rotated(acme, endpoint.id, { overlap_seconds: 0 })
    const received = await next()

    expect(third.public_keys).toHaveLength(1)
    expect(verifiesBy(third.secret, received)).toBe(true)
    for (const { secret, public_keys } of [endpoint, second]) {
      expect(verifiesBy(secret, received)).toBe(false)
      expect(await verifiesByKey(public_keys[0] ?? '', received)).toBe(false)
    }
    expect(await keysOf(acme)).toHaveLength(1)
  })

  it('never lets an old one live longer than it had', async () => {
    const { acme, endpoint } = await listening()
    await rotated(acme, endpoint.id, { overlap_seconds: 3600 })
    await rotated(acme, endpoint.id, { overlap_seconds: 604_800 })

    const [, second, first] = (await keysOf(acme)).map(({ expiresAt }) => (expiresAt ?? 0) - Date.now())

    expect(first).toBeLessThanOrEqual(3_600_000)
    expect(second).toBeGreaterThan(600_000_000)
  })

  it('is over when the overlap is, and what has expired is dropped by the next', async () => {
    const { acme, endpoint, next } = await listening({ signing: 'both' })
    const fresh = await rotated(acme, endpoint.id, { overlap_seconds: 1 })
    await until('the old key has expired', async () => {
      const { body } = await acme.get(pathOf(endpoint.id))
      return body.public_keys.length === 1
    })

    const received = await next()
    await rotated(acme, endpoint.id)

    expect(verifiesBy(endpoint.secret, received)).toBe(false)
    expect(verifiesBy(fresh.secret, received)).toBe(true)
    expect(await keysOf(acme)).toHaveLength(2)
  })

  it('is refused beyond ten valid secrets, until the overlap is shorter', async () => {
    const { acme, endpoint, next } = await listening()
    for (let nth = 1; nth < 10; nth++) await rotated(acme, endpoint.id)

    const { status, body } = await rotate(acme, endpoint.id)

    expect([status, body.errors[0]?.pointer]).toEqual([400, '/overlap_seconds'])
    expect(body.detail).toContain('shorter overlap')
    expect(signaturesOf(await next(), 'v1')).toHaveLength(10)
    await rotated(acme, endpoint.id, { overlap_seconds: 0 })
    expect(signaturesOf(await next(), 'v1')).toHaveLength(1)
  })

  it('happens once under a key, and a repetition is not shown the secret', async () => {
    const { acme, endpoint } = await listening()
    const headers = { 'Idempotency-Key': randomUUID() }
    const ask = () => rotate(acme, endpoint.id, undefined, headers)

    const answers = await Promise.all([ask(), ask(), ask()])

    const shown = answers.filter(({ body }) => body.secret !== null)
    expect(shown.map((answer) => answer.headers.get('Idempotency-Replayed'))).toEqual([null])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await keysOf(acme)).toHaveLength(2)
  })

  it.each([
    [{ overlap_seconds: -1 }, '/overlap_seconds'],
    [{ overlap_seconds: 604_801 }, '/overlap_seconds'],
    [{ overlap_seconds: 0.5 }, '/overlap_seconds'],
    [{ overlap_seconds: '60' }, '/overlap_seconds'],
    [{ overlap_seconds: null }, '/overlap_seconds'],
    [{ overlap: 0 }, '/overlap'],
    [{ secret: 'mine' }, '/secret'],
    [{ secret: secretOf(23) }, '/secret'],
  ])('is refused for %j, and changes nothing', async (body, pointer) => {
    const { acme, endpoint } = await listening()

    const answer = await rotate(acme, endpoint.id, body)

    expect([answer.status, answer.body.errors[0]?.pointer]).toEqual([400, pointer])
    expect(await keysOf(acme)).toHaveLength(1)
  })
})

describe('a secret of the customer’s own', () => {
  it.each([24, 25, 64])('of %i bytes signs, from the beginning and after a rotation', async (bytes) => {
    const [first, second] = [secretOf(bytes), secretOf(bytes)]
    const { acme, endpoint, next } = await listening({ secret: first })

    const before = await next()
    const fresh = await rotated(acme, endpoint.id, { secret: second })
    const after = await next()

    expect([endpoint.secret, fresh.secret]).toEqual([first, second])
    expect(verifiesBy(first, before)).toBe(true)
    expect([verifiesBy(first, after), verifiesBy(second, after)]).toEqual([true, true])
  })

  it.each([
    ['of 23 bytes', secretOf(23)],
    ['of 65 bytes', secretOf(65)],
    ['without its prefix', secretOf(24).slice(6)],
    ['that is empty', ''],
    ['that is a prefix only', 'whsec_'],
    ['that is no base64', 'whsec_!fKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['in base64url', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La-_Sw'],
    ['that is a seed', secretOf(32).replace('whsec_', 'whsk_')],
    ['with the prefix of a signature', `v1,${secretOf(24)}`],
    ['that is no text', 5],
    ['that is null', null],
  ])('%s is refused, and not told again', async (_, secret) => {
    const acme = await newTenant()

    const body = { url: 'https://hooks.acme.com/', secret }
    const answer = await acme.client.post('/v1/webhook_endpoints', body)

    expect([answer.status, answer.body.errors.map(({ pointer }) => pointer)]).toEqual([400, ['/secret']])
    if (String(secret).length > 6) expect(JSON.stringify(answer.body)).not.toContain(String(secret))
  })
})

describe('the public keys of a tenant', () => {
  const list = async (tenant: Tenant, query = '') =>
    (await expectStatus(200, tenant.get(`/v1/webhook_signing_keys${query}`))).body

  it('are those of all endpoints that sign by key pairs, newest first, with their validity', async () => {
    const { acme, endpoint: first } = await listening({ signing: 'ed25519' })
    await acme.listens(await newReceiver())
    const second = await acme.listens(await newReceiver(), undefined, { signing: 'both' })
    const fresh = await rotated(acme, first.id, { overlap_seconds: 60 })

    const { data, has_more, next_cursor } = await list(acme)

    const key = (endpoint: Body, at: number, expires_at: unknown) => ({
      id: expect.stringMatching(/^whk_/),
      object: 'webhook_signing_key',
      endpoint_id: endpoint.id,
      algorithm: 'ed25519',
      public_key: endpoint.public_keys[at],
      created_at: expect.any(String),
      expires_at,
    })
    expect(data).toEqual([key(fresh, 0, null), key(second, 0, null), key(first, 0, expect.any(String))])
    expect([has_more, next_cursor]).toEqual([false, null])
  })

  it('come in pages', async () => {
    const { acme, endpoint } = await listening({ signing: 'both' })
    for (let nth = 0; nth < 4; nth++) await rotated(acme, endpoint.id)
    const whole = (await list(acme)).data.map(({ id }) => id)

    const paged: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Body = await list(acme, `?limit=2${cursor && `&cursor=${cursor}`}`)
      paged.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor
    }

    expect(whole).toHaveLength(5)
    expect(paged).toEqual(whole)
  })

  it('do not show those of others, and take no cursor of theirs', async () => {
    const { acme, endpoint } = await listening({ signing: 'both' })
    await rotated(acme, endpoint.id)
    const globex = await newTenant()
    const { next_cursor } = await list(acme, '?limit=1')

    expect((await list(globex)).data).toEqual([])
    for (const [tenant, path] of [
      [globex, '/v1/webhook_signing_keys'],
      [acme, '/v1/webhook_endpoints'],
    ] as const) {
      const { status, body } = await tenant.get(`${path}?cursor=${next_cursor}`)
      expect([status, body.errors[0]?.parameter]).toEqual([400, 'cursor'])
    }
  })

  it('end with their endpoint', async () => {
    const { acme, endpoint } = await listening({ signing: 'both' })
    await expectStatus(204, acme.client.delete(pathOf(endpoint.id)))

    expect((await list(acme)).data).toEqual([])
  })
})

describe('the headers of a customer’s own', () => {
  const hush = `hush-${randomUUID()}`

  it('come with every webhook as they are, until they are changed', async () => {
    const { acme, endpoint, next } = await listening({
      headers: { Authorization: `Bearer ${hush}`, 'X-Own': '{"a":\t1}' },
    })

    const first = await next()
    await expectStatus(200, acme.client.patch(pathOf(endpoint.id), { headers: { 'X-Other': 'b' } }))
    const second = await next()
    await expectStatus(200, acme.client.patch(pathOf(endpoint.id), { headers: null }))
    const third = await next()

    expect(first.headers).toMatchObject({ authorization: `Bearer ${hush}`, 'x-own': '{"a":\t1}' })
    expect(first.headers['content-type']).toBe('application/json')
    expect(verifiesBy(endpoint.secret, first)).toBe(true)
    expect([second.headers.authorization, second.headers['x-own']]).toEqual([undefined, undefined])
    expect(second.headers['x-other']).toBe('b')
    expect(third.headers['x-other']).toBeUndefined()
  })

  it('are nowhere else to be seen, nor are secrets', async () => {
    const { acme, endpoint, next } = await listening({ headers: { 'X-API-Key': hush }, signing: 'both' })
    const { id } = endpoint
    const fresh = await rotated(acme, id)
    await next()
    const headers = { 'Idempotency-Key': randomUUID() }
    const key = { headers: { 'X-API-Key': `${hush}-2` } }
    await acme.client.post('/v1/webhook_endpoints', { url: 'https://hooks.acme.com/', ...key }, headers)

    const answers = [
      await acme.get(pathOf(id)),
      await acme.get('/v1/webhook_endpoints'),
      await acme.client.patch(pathOf(id), key),
      await acme.client.request('POST', pathOf(id, '/enable')),
      await rotate(acme, id),
    ]
    const rows = [
      ...(await inLedger(acme.id, 'select * from webhook_endpoints')),
      ...(await inLedger(acme.id, 'select * from idempotency_keys')),
      ...(await inLedger(acme.id, 'select * from deliveries')),
    ]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const told = [JSON.stringify(answers.map(({ body }) => body)), JSON.stringify(rows)]
    for (const text of [...told, (await logs()).join('\n')])
      for (const secret of [hush, endpoint.secret.slice(6), fresh.secret.slice(6)])
        expect(text).not.toContain(secret)
  })
})
