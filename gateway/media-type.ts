/** The Content-Type header (RFC 9110, section 8.3.1). */

/** Type and subtype in lower case, without parameters; empty without a header. */
export const essenceOf = (header: string | undefined) =>
  (header ?? '').split(';')[0]?.trim().toLowerCase() ?? ''

/** Whether the header names a character set other than UTF-8. */
export function isOtherCharset(header: string | undefined): boolean {
  const charset = /charset="?([^";]+)/i.exec(header ?? '')?.[1]?.trim()
  return charset !== undefined && charset.toLowerCase() !== 'utf-8'
}
