/**
 * Which URLs we call on behalf of a customer. Pure: the same guard when a URL is stored and before every attempt.
 *
 * The parser folds every numeric spelling of an address into one form, so the raw text is checked for what the parser would
 * silently repair, and the parsed host for where it leads. Addresses are refused outright: a Worker cannot fetch them anyway.
 */
const MAX_LENGTH = 2048

export interface DestinationRules {
  /** http and https to this machine: the local run only. */
  readonly allowLoopback: boolean
  /** Hosts of our own, which a webhook must not reach. */
  readonly ownHosts: readonly string[]
}

export type Destination = { ok: true; url: URL } | { ok: false; why: string }

const refuse = (why: string): Destination => ({ ok: false, why })

/** Names that are never public: special-use domains (RFC 6761, RFC 7686, RFC 9476), internal suffixes, metadata services. */
const deniedSuffixes = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'home.arpa',
  'in-addr.arpa',
  'ip6.arpa',
  'svc',
  'cluster.local',
  'test',
  'invalid',
  'example',
  'onion',
  'alt',
  'metadata.goog',
]

/** What the parser would silently drop or repair: control characters, white space, backslashes. */
const repaired = /[\p{Cc}\s\\]/u
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Checks a URL; `why` is our own text and names no part of the input. */
export function checkDestination(raw: string, rules: DestinationRules): Destination {
  if (raw.length > MAX_LENGTH || repaired.test(raw))
    return refuse('The URL has characters or a length that are not allowed.')
  const url = URL.canParse(raw) ? new URL(raw) : null
  if (!url) return refuse('This is not a URL.')
  if (rules.allowLoopback && isLoopback(raw, url)) return { ok: true, url }
  if (!/^https:\/\/[^/]/.test(raw)) return refuse('The URL must start with https://.')
  if (url.username !== '' || url.password !== '') return refuse('The URL must not hold credentials.')
  if (url.port !== '') return refuse('The port must be 443.')
  if (url.hash !== '') return refuse('The URL must not have a fragment.')
  return checkHost(url, rules)
}

const isLoopback = (raw: string, url: URL) =>
  /^https?:\/\//.test(raw) && loopbackHosts.has(url.hostname) && url.username === '' && url.password === ''

function checkHost(url: URL, { ownHosts }: DestinationRules): Destination {
  const host = url.hostname.replace(/\.$/, '').toLowerCase()
  const labels = host.split('.')
  const last = labels.at(-1) ?? ''
  if (host.startsWith('[') || /^[0-9]+$/.test(last)) return refuse('The host must be a name, not an address.')
  if (labels.length < 2) return refuse('The host must be a public name.')
  if (!labels.every((one) => label.test(one))) return refuse('The host is not a valid name.')
  if (deniedSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`)))
    return refuse('The host is not a public name.')
  if (ownHosts.includes(host)) return refuse('The host belongs to this service.')
  return { ok: true, url }
}
