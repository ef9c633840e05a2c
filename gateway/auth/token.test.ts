import { describe, expect, it } from 'vitest'
import { bearerToken, hasOneSpelling } from './token.ts'

const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl-_'

describe('a bearer token', () => {
  it.each([
    ['as it usually comes', `Bearer ${token}`],
    ['under a scheme in small letters', `bearer ${token}`],
    ['under a scheme in capitals', `BEARER ${token}`],
    ['after several spaces', `Bearer   ${token}`],
    ['of 8 KiB with its scheme', `Bearer ${'a'.repeat(8192 - 11)}.b.c`],
  ])('is read %s', (_, header) => {
    expect(bearerToken(header)).toBe(header.replace(/^bearer +/i, ''))
  })

  it.each([
    ['an empty header', ''],
    ['a scheme alone', 'Bearer'],
    ['a scheme and a space', 'Bearer '],
    ['another scheme', `Basic ${token}`],
    ['a scheme of DPoP', `DPoP ${token}`],
    ['a token without a scheme', token],
    ['a scheme without a space', `Bearer${token}`],
    ['a tab in place of a space', `Bearer\t${token}`],
    ['two headers joined by a comma', `Bearer ${token}, Bearer ${token}`],
    ['two tokens', `Bearer ${token} ${token}`],
    ['space at its end', `Bearer ${token} `],
    ['a line break at its end', `Bearer ${token}\n`],
    ['two parts', 'Bearer a.b'],
    ['four parts', 'Bearer a.b.c.d'],
    ['five parts, as an encrypted token has', 'Bearer a.b.c.d.e'],
    ['no signature', 'Bearer a.b.'],
    ['no payload', 'Bearer a..c'],
    ['base64 that is not base64url', 'Bearer a+b.c/d.e='],
    ['quotes around it', `Bearer "${token}"`],
    ['letters beyond ASCII', 'Bearer ä.b.c'],
    ['more than 8 KiB', `Bearer ${'a'.repeat(8192 - 10)}.b.c`],
  ])('is refused with %s', (_, header) => {
    expect(bearerToken(header)).toBeNull()
  })
})

describe('the signature of a token', () => {
  const bytes = (length: number) => Buffer.alloc(length, 0xa5).toString('base64url')

  it.each([32, 63, 64, 65, 256])('of %i bytes has one spelling', (length) => {
    expect(hasOneSpelling(`a.b.${bytes(length)}`)).toBe(true)
  })

  it.each([32, 64, 65, 256])('of %i bytes has no other', (length) => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const text = bytes(length)
    const others = Array.from(alphabet, (last) => text.slice(0, -1) + last).filter(
      (one) => one !== text && Buffer.from(one, 'base64url').equals(Buffer.from(text, 'base64url')),
    )

    expect(others.length).toBeGreaterThan(2)
    for (const one of others) expect(hasOneSpelling(`a.b.${one}`)).toBe(false)
  })

  it('is of whole bytes', () => {
    expect(hasOneSpelling('a.b.AAAAA')).toBe(false)
  })
})
