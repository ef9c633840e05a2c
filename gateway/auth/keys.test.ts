import { describe, expect, it } from 'vitest'
import { configWith, newKey } from './issuer.fixture.ts'
import { publicJwks } from './keys.ts'
import { issueToken, verifyToken } from './token.ts'

const START = Date.parse('2026-12-01T00:00:00Z')
const MINUTE = 60_000
const grant = { clientId: 'client_a', tenantId: 'acme', scopes: ['jobs:read'] }

async function rotating() {
  const [old, next] = [await newKey(), await newKey()]
  const config = configWith([old, { ...next, use_from: '2026-12-01T01:00:00+01:00' }])
  const published = (at: number) => publicJwks(config, at).keys.map(({ kid }) => kid)
  return { old, next, config, published }
}

describe("our issuer's keys", () => {
  it('are published without anything private, and without their times', async () => {
    const { old, next, config } = await rotating()
    const expected = [old, next].map(({ kid, x, y }) => ({
      kty: 'EC',
      crv: 'P-256',
      x,
      y,
      kid,
      use: 'sig',
      alg: 'ES256',
    }))

    expect(publicJwks(config, START).keys).toEqual(expected)
  })

  it('rotate by the clock: each token stays good to its end, whichever key signed it', async () => {
    const { old, next, config, published } = await rotating()
    const last = await issueToken(config, grant, START - 1000, 'last')
    const first = await issueToken(config, grant, START, 'first')

    const kidOf = (token: string) => JSON.parse(atob(token.split('.')[0] ?? '')).kid
    expect([kidOf(last), kidOf(first)]).toEqual([old.kid, next.kid])
    for (const at of [START, START + 14 * MINUTE]) {
      expect(await verifyToken(config, 'tenants', last, at)).toEqual(grant)
      expect(await verifyToken(config, 'tenants', first, at)).toEqual(grant)
    }
    expect(published(START - 10 * MINUTE)).toEqual([old.kid, next.kid])
    expect(published(START + 15 * MINUTE)).toEqual([old.kid, next.kid])
    expect(published(START + 20 * MINUTE)).toEqual([next.kid])
  })

  it('that are gone sign nothing more, however fresh the token', async () => {
    const { old, next, config } = await rotating()
    const late = START + 20 * MINUTE
    const forged = await issueToken(configWith([old]), grant, late, 'forged')

    expect(await verifyToken(config, 'tenants', forged, late)).toBeNull()
    expect(await verifyToken(configWith([next]), 'tenants', forged, late)).toBeNull()
  })

  it.each<[string, (key: Record<string, string>) => (object | null)[]]>([
    ['no key', () => []],
    ['two keys of one name', (key) => [key, { ...key, use_from: '2026-12-01T00:00:00Z' }]],
    ['a time that is none', (key) => [{ ...key, use_from: 'tomorrow' }]],
    ['a time without a zone', (key) => [{ ...key, use_from: '2026-12-01T00:00:00' }]],
    ['null in the place of one', (key) => [key, null]],
    ['a public key', ({ d: _, ...key }) => [key]],
  ])('are refused with %s, and the fault does not show them', async (_, change) => {
    const key = await newKey()

    expect(() => configWith(change(key))).toThrow(
      'These variables or secrets are missing or wrong: SIGNING_KEYS.',
    )
  })
})
