/** Bytes, text and digests. */
import { toBase64url } from '../ledger/base64.ts'

const encoder = new TextEncoder()

export const utf8 = (text: string) => encoder.encode(text)

/** SHA-256 of the text's UTF-8, base64url. */
export async function sha256(text: string): Promise<string> {
  return toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text))))
}

/** Compares two texts of one length in constant time; digests are of one length. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [utf8(a), utf8(b)]
  return left.byteLength === right.byteLength && crypto.subtle.timingSafeEqual(left, right)
}
