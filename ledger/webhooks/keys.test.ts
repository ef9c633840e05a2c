import { describe, expect, it } from 'vitest'
import { randomBytes } from '../ids.ts'
import { open } from '../vault.ts'
import { mintKey } from './keys.ts'
import { isSecret, mintSecret } from './signature.ts'

const keys = JSON.stringify({ k1: btoa('k'.repeat(32)) })
const mint = (own?: string) => mintKey(keys, 'we_a', 5000, randomBytes, own)

describe('a signing key', () => {
  it('is fresh, valid without an end, and sealed for its endpoint alone', async () => {
    const { key, secret } = await mint()
    const other = await mint()

    expect(key).toMatchObject({ createdAt: 5000, expiresAt: null })
    expect([isSecret(secret), secret === other.secret, key.publicKey === other.key.publicKey]).toEqual([
      true,
      false,
      false,
    ])
    expect(JSON.stringify(key)).not.toContain(secret)
    expect(await open(keys, key.sealedSecret, 'we_a')).toBe(secret)
    expect(await open(keys, key.sealedSeed, 'we_a')).toMatch(/^whsk_/)
    for (const sealed of [key.sealedSecret, key.sealedSeed])
      await expect(open(keys, sealed, 'we_b')).rejects.toThrow()
  })

  it('takes the secret that its owner has already', async () => {
    const own = mintSecret(randomBytes)
    const { key, secret } = await mint(own)

    expect([secret, await open(keys, key.sealedSecret, 'we_a')]).toEqual([own, own])
  })
})
