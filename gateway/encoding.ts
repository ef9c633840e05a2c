/** Bytes, text and digests. */
const encoder = new TextEncoder()

export const utf8 = (text: string) => encoder.encode(text)

export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** SHA-256 of the text's UTF-8, base64url. */
export async function sha256(text: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text))))
}

/** Compares two texts of one length in constant time; digests are of one length. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [utf8(a), utf8(b)]
  return left.byteLength === right.byteLength && crypto.subtle.timingSafeEqual(left, right)
}
