/** Base64 with padding (RFC 4648, section 4), and base64url without (section 5). */
export const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

/** Throws on text that is not base64. */
export const fromBase64 = (text: string) =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

export const toBase64url = (bytes: Uint8Array) =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

export const fromBase64url = (text: string) => fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
