/** The Prefer header (RFC 7240), as far as it is about waiting. */
const MAX_SECONDS = 30
const preference = /^wait[ \t]*=[ \t]*(?:"(\d+)"|(\d+))[ \t]*(?:;.*)?$/i

/**
 * The seconds to wait for something to tell, 1 to 30; null when the header asks for none, or not in a way that can be honoured, which
 * is no fault. Of several the first counts.
 */
export function preferredWait(header: string | undefined): number | null {
  const first = preferencesOf(header ?? '').find((one) => /^wait[ \t]*(?:[=;]|$)/i.test(one))
  const [, quoted, bare] = preference.exec(first ?? '') ?? []
  const seconds = Number(quoted ?? bare ?? 0)
  return seconds >= 1 && seconds <= MAX_SECONDS ? seconds : null
}

/** A comma in quotes separates nothing. */
const preferencesOf = (header: string) =>
  (header.match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/g) ?? []).map((one) => one.trim())

/** The header in the document. A schema of the router's would refuse what is to be passed over. */
export const preferParameter = {
  name: 'Prefer',
  in: 'header' as const,
  required: false,
  description:
    '`wait=N`: with nothing to tell, the answer waits for it, up to N seconds (1 to 30); `Preference-Applied` says that it was so. At most 20 requests of a tenant wait at once; others are answered at once.',
  schema: { type: 'string' as const },
  example: 'wait=20',
}
