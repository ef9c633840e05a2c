/** The If-None-Match header (RFC 9110, section 13.1.2). Comparison is weak, so a tag's `W/` is passed over. */
import type { Seen } from '../ledger/seen.ts'

const tag = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/
const list = new RegExp(`^[ \\t,]*${tag.source}(?:[ \\t]*,[ \\t,]*${tag.source})*[ \\t,]*$`)
const each = new RegExp(tag.source, 'g')

/** The tags that it names. One that is malformed counts as none: the reader gets what there is. */
export function seenBy(header: string | undefined): Seen {
  if (header === undefined) return null
  if (header.trim() === '*') return 'any'
  if (!list.test(header)) return null
  return (header.match(each) ?? []).map((one) => one.slice(one.indexOf('"') + 1, -1))
}

/** As it stands in the header `ETag`. */
export const weakEtag = (opaque: string) => `W/"${opaque}"`
