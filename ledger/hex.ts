/** Bytes as lower-case hex. */

const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += pairs[byte]
  return text
}

const encoder = new TextEncoder()

/** SHA-256 of the text's UTF-8. */
export const sha256Hex = async (text: string) =>
  hex(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))))
