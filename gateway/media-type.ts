/** What the headers say a body is: Content-Type (RFC 9110, section 8.3.1) and Content-Encoding. */

/** Type and subtype in lower case, without parameters; empty without a header. */
export const essenceOf = (header: string | undefined) =>
  (header ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** Whether the header names a character set other than UTF-8. */
export function isOtherCharset(header: string | undefined): boolean {
  const charset = /charset="?([^";]+)/i.exec(header ?? '')?.[1]?.trim()
  return charset !== undefined && !/^utf-?8$/i.test(charset)
}

/** Whether the header says that a body is compressed, or encoded otherwise (RFC 9110, section 8.4). */
export const isEncoded = (contentEncoding: string | undefined) =>
  contentEncoding !== undefined && !/^(identity)?$/i.test(contentEncoding.trim())
