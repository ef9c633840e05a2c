/** What a reader has seen already: the tags of an `If-None-Match` header, compared weakly, which is without their `W/`. */
export type Seen = readonly string[] | 'any' | null

export const hasSeen = (seen: Seen, tag: string): boolean =>
  seen !== null && (seen === 'any' || seen.includes(tag))
