import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../config.ts'
import { configWith, newKey } from './issuer.fixture.ts'
import { issueToken, verifyToken } from './token.ts'

const NOW = 1_800_000_000_000
const LIFE_MS = 900_000
/** The order of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

const checks = vi.spyOn(crypto.subtle, 'verify')
let config: Config
beforeEach(async () => {
  config = configWith([await newKey()])
  checks.mockClear()
})
afterAll(() => checks.mockRestore())

const issued = (jti: string, scopes: readonly string[] = ['jobs:read']) =>
  issueToken(config, { clientId: 'client_a', tenantId: 'acme', scopes }, NOW, jti)
const verified = (token: string, at = NOW) => verifyToken(config, 'tenants', token, at)

/** The same token with the other signature that is as good. */
function twinOf(token: string): string {
  const end = token.lastIndexOf('.') + 1
  const bytes = Buffer.from(token.slice(end), 'base64url')
  const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const other = Buffer.from((ORDER - s).toString(16).padStart(64, '0'), 'hex')
  return token.slice(0, end) + Buffer.concat([bytes.subarray(0, 32), other]).toString('base64url')
}

describe('a token that was verified', () => {
  it('costs no second check of its signature until it ends', async () => {
    const token = await issued('a')

    for (const at of [NOW, NOW + 1, NOW + LIFE_MS - 1])
      expect(await verified(token, at)).toEqual({
        clientId: 'client_a',
        tenantId: 'acme',
        scopes: ['jobs:read'],
      })

    expect(checks).toHaveBeenCalledTimes(1)
    expect(await verified(token, NOW + LIFE_MS + 60_000)).toBeNull()
  })

  it('is not known by its payload alone', async () => {
    const token = await issued('a')
    await verified(token)

    expect(await verified(`${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(86)}`)).toBeNull()
    expect(checks).toHaveBeenCalledTimes(2)
  })

  it('is as good with the twin of its signature, which is checked each time and displaces nothing', async () => {
    const token = await issued('a')
    await verified(token)

    for (const times of [2, 3]) {
      expect(await verified(twinOf(token))).not.toBeNull()
      expect(checks).toHaveBeenCalledTimes(times)
    }
    await verified(token)
    expect(checks).toHaveBeenCalledTimes(3)
  })

  it('is good for its own audience only, known or not', async () => {
    const token = await issued('a')
    await verified(token)

    expect(await verifyToken(config, 'operators', token, NOW)).toBeNull()
  })

  it('is checked each time where it is so long that many would fill the memory', async () => {
    const token = await issued('a', [`x${'y'.repeat(1900)}`])
    await verified(token)
    await verified(token)

    expect(checks).toHaveBeenCalledTimes(2)
  })
})
