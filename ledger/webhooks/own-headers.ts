/**
 * The headers that a customer adds to an endpoint's webhooks. Names and values are those of RFC 9110, section 5, less what we or the
 * platform set, what tells where a request came from, and what changes its meaning. Pure.
 */
const MAX_HEADERS = 20
const MAX_NAME = 64
const MAX_VALUE = 1024

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Visible ASCII, with spaces and tabs inside. */
const content = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

const reserved = new Set([
  'accept-encoding',
  'alt-used',
  'cdn-loop',
  'client-ip',
  'connection',
  'cookie',
  'cookie2',
  'date',
  'expect',
  'fastly-client-ip',
  'forwarded',
  'host',
  'http2-settings',
  'idempotency-key',
  'keep-alive',
  'max-forwards',
  'origin',
  'range',
  'referer',
  'set-cookie',
  'set-cookie2',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'true-client-ip',
  'upgrade',
  'user-agent',
  'via',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-method-override',
  'x-original-host',
  'x-original-url',
  'x-real-ip',
  'x-rewrite-url',
])

const reservedPrefixes = [
  'access-control-',
  'cf-',
  'content-',
  'if-',
  'proxy-',
  'sec-',
  'svix-',
  'webhook-',
  'x-forwarded-',
  'x-http-method',
]

export interface HeaderFault {
  /** Null for what is wrong with them together. */
  readonly name: string | null
  /** Our own words: never a value. */
  readonly detail: string
}

/** What is wrong with these headers, a fault for each; empty for what can be sent. */
export function headerFaults(headers: Readonly<Record<string, string>>): HeaderFault[] {
  const entries = Object.entries(headers)
  if (entries.length > MAX_HEADERS) return [{ name: null, detail: `At most ${MAX_HEADERS} headers.` }]
  const seen = new Set<string>()
  return entries.flatMap(([name, value]) => {
    const detail = nameFault(name, seen) ?? valueFault(value)
    seen.add(name.toLowerCase())
    return detail === null ? [] : [{ name, detail }]
  })
}

function nameFault(name: string, seen: ReadonlySet<string>): string | null {
  if (name.length > MAX_NAME) return `A header's name has at most ${MAX_NAME} characters.`
  if (!token.test(name)) return 'This is not the name of a header.'
  const lower = name.toLowerCase()
  if (isReserved(lower)) return 'This header is not yours to set.'
  return seen.has(lower) ? 'The header is there twice; upper and lower case make no difference.' : null
}

const isReserved = (lower: string) =>
  reserved.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix))

function valueFault(value: string): string | null {
  if (value.length > MAX_VALUE) return `A header's value has at most ${MAX_VALUE} characters.`
  return content.test(value) ? null : 'A value is visible ASCII, with spaces and tabs inside only.'
}
