/** Arguments that a call may have are limited; a multiple of three bytes ends without padding. */
const CHUNK = 24_576

/** Base64 with padding (RFC 4648, section 4), and base64url without (section 5). */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)))
  return text
}

/** Throws on text that is not base64. */
export const fromBase64 = (text: string) =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

export const toBase64url = (bytes: Uint8Array) =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

export const fromBase64url = (text: string) => fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
