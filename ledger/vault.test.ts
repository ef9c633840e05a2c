import { describe, expect, it } from 'vitest'
import { randomBytes } from './ids.ts'
import { open, resealed, seal } from './vault.ts'

const freshKey = () => btoa(String.fromCharCode(...randomBytes(32)))
const [first, second] = [freshKey(), freshKey()]
const keys = (entries: Record<string, string>) => JSON.stringify(entries)
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const sealed = (under: string, owner = 'we_1', text = secret) => seal(under, text, owner, randomBytes)

describe('a sealed secret', () => {
  const current = keys({ a: first })

  it.each([secret, '', '鍵 👍'])('opens to what it was: %s', async (text) => {
    expect(await open(current, await sealed(current, 'we_1', text), 'we_1')).toBe(text)
  })

  it('shows neither the secret nor that two are the same', async () => {
    const [one, other] = await Promise.all([sealed(current), sealed(current)])

    expect(one).not.toContain(secret)
    expect(one).not.toBe(other)
  })

  it('does not open for another owner', async () => {
    await expect(open(current, await sealed(current, 'we_1'), 'we_2')).rejects.toThrow()
  })

  it.each([
    ['its key has gone', (text: string) => text.replace(/^a\./, 'b.')],
    ['it was changed', (text: string) => text.replace(/.{4}$/, (end) => (end === 'AAAA' ? 'BBBB' : 'AAAA'))],
    ['it was cut', (text: string) => text.slice(0, -4)],
    ['it is no sealed text', () => 'nonsense'],
    ['it names a member of every object', (text: string) => text.replace(/^a\./, 'constructor.')],
  ])('does not open when %s', async (_, damage) => {
    await expect(open(current, damage(await sealed(current)), 'we_1')).rejects.toThrow()
  })
})

describe('a change of keys', () => {
  it('seals with the first key and opens with all', async () => {
    const old = await sealed(keys({ old: first }))
    const both = keys({ next: second, old: first })

    const fresh = await sealed(both)

    expect(old).toMatch(/^old\./)
    expect(fresh).toMatch(/^next\./)
    expect(await open(both, old, 'we_1')).toBe(secret)
    expect(await open(keys({ next: second }), fresh, 'we_1')).toBe(secret)
  })

  it('seals again what the first key did not seal, and nothing else', async () => {
    const both = keys({ next: second, old: first })
    const again = (text: string) => resealed(both, text, 'we_1', randomBytes)

    const fresh = await again(await sealed(keys({ old: first })))

    expect(await open(keys({ next: second }), fresh ?? '', 'we_1')).toBe(secret)
    expect(await again(fresh ?? '')).toBeNull()
    await expect(resealed(both, await sealed(keys({ lost: first })), 'we_1', randomBytes)).rejects.toThrow()
  })

  it('leaves what was sealed with a key that is gone closed', async () => {
    await expect(open(keys({ next: second }), await sealed(keys({ old: first })), 'we_1')).rejects.toThrow()
  })

  it.each([
    ['no key at all', keys({})],
    ['a key of 16 bytes', keys({ a: btoa('0123456789abcdef') })],
    ['a key that is not base64', keys({ a: 'not base64!' })],
    ['a key with a name that would break the format', keys({ 'a.b': first })],
    ['a key whose name is a number, which JSON would put first', keys({ 2: first })],
    ['no JSON', 'nonsense'],
  ])('is refused with %s', async (_, under) => {
    await expect(sealed(under)).rejects.toThrow()
  })
})
