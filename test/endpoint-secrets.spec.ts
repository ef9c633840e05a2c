import { randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { callLedger, inLedger } from './support/control.ts'
import { act, create, created, listening, patch, pathOf, rotated } from './support/endpoints.ts'
import { signaturesOf, verifiesBy, verifiesByKey } from './support/signatures.ts'
import { expectStatus, newTenant, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const secretOf = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`

interface StoredKey {
  readonly id: string
  readonly expiresAt: number | null
}

const keysOf = async (tenant: Tenant): Promise<StoredKey[]> => {
  const [row] = await inLedger<{ keys: string }>(tenant.id, 'select keys from webhook_endpoints')
  return JSON.parse(row?.keys ?? '[]') as StoredKey[]
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
    await expectStatus(200, patch(acme, endpoint.id, { signing: 'ed25519' }))

    const { body } = await acme.get(pathOf(endpoint.id))
    const received = await next()

    expect(signaturesOf(received, 'v1')).toEqual([])
    expect(await verifiesByKey(body.public_keys[0] ?? '', received)).toBe(true)
  })
})

describe('rotating a secret', () => {
  let unchanged: Tenant
  let id: string
  beforeAll(async () => {
    unchanged = await newTenant()
    id = (await created(unchanged)).id
  })

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

    const { status, body } = await act(acme, endpoint.id, '/rotate_secret')

    expect([status, body.errors[0]?.pointer]).toEqual([400, '/overlap_seconds'])
    expect(body.detail).toContain('shorter overlap')
    expect(signaturesOf(await next(), 'v1')).toHaveLength(10)
    await rotated(acme, endpoint.id, { overlap_seconds: 0 })
    expect(signaturesOf(await next(), 'v1')).toHaveLength(1)
  })

  it('happens once under a key, and a repetition is not shown the secret', async () => {
    const { acme, endpoint } = await listening()
    const headers = { 'Idempotency-Key': randomUUID() }
    const ask = () => act(acme, endpoint.id, '/rotate_secret', undefined, headers)

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
    const { status, body: answer } = await act(unchanged, id, '/rotate_secret', body)

    expect([status, answer.errors[0]?.pointer]).toEqual([400, pointer])
    expect(await keysOf(unchanged)).toHaveLength(1)
  })

  it('is one rotation when the call is made again, since its reply was lost', async () => {
    const acme = await newTenant()
    const { id } = await created(acme)
    const key = { sealedSecret: '', sealedSeed: '', publicKey: '', createdAt: 0, expiresAt: null }
    const call = { id: 'whk_x', key: null }
    const make = () =>
      callLedger<{ value: object }>(acme.id, 'rotateSecret', call, id, { id: call.id, ...key }, 60_000)

    const [first, again] = [await make(), await make()]

    expect(again.value).toEqual(first.value)
    expect((await keysOf(acme)).map(({ id }) => id)).toEqual([call.id, expect.any(String)])
  })
})

describe('a secret of the customer’s own', () => {
  let globex: Tenant
  beforeAll(async () => {
    globex = await newTenant()
  })

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
    const answer = await create(globex, { secret })

    expect([answer.status, answer.body.errors.map(({ pointer }) => pointer)]).toEqual([400, ['/secret']])
    if (String(secret).length > 6) expect(JSON.stringify(answer.body)).not.toContain(String(secret))
  })
})
