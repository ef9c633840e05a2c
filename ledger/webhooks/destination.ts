/**
 * Which URLs we call on behalf of a customer. Pure: the same rules when a URL is stored and before every attempt.
 *
 * The parser folds every numeric spelling of an address into one form, so the raw text is checked for what the parser would
 * silently drop or repair, and the parsed host for where it leads. Addresses are refused outright: a Worker cannot fetch them anyway.
 */
import { bareName, faultOfName } from './host-name.ts'

const MAX_LENGTH = 2048

export interface DestinationRules {
  /** http and https to this machine: the local run only. */
  readonly allowLoopback: boolean
  /** Names of our own, in lower case; neither they nor what is within them may be called. */
  readonly ownHosts: readonly string[]
  /** Ports of this machine on which we listen ourselves: closed even where the rest of it is open. */
  readonly ownPorts: readonly string[]
}

/** `url` is what to store and to call: without a fragment, its host without a last dot. */
export type Destination = { ok: true; url: URL; loopback: boolean } | { ok: false; why: string }

const refuse = (why: string): Destination => ({ ok: false, why })

/** What the parser would drop or repair: control and format characters, halves of characters, white space, backslashes. */
const repaired = /[\p{Cc}\p{Cf}\p{Cs}\s\\]/u
const credentials = /^[^/?#]*\/\/[^/?#]*@/
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Checks a URL; `why` is our own text and names no part of the input. */
export function checkDestination(raw: string, rules: DestinationRules): Destination {
  if (raw.length > MAX_LENGTH || repaired.test(raw))
    return refuse('The URL has characters or a length that are not allowed.')
  const url = URL.canParse(raw) ? new URL(raw) : null
  if (!url) return refuse('This is not a URL.')
  if (credentials.test(raw)) return refuse('The URL must not hold credentials.')
  url.hash = ''
  if (rules.allowLoopback && /^https?:\/\/[^/]/.test(raw) && isLoopback(url)) return checkPort(url, rules)
  if (!/^https:\/\/[^/]/.test(raw)) return refuse('The URL must start with https://.')
  if (url.port !== '') return refuse('The port must be 443.')
  return checkHost(url, rules)
}

/** Whether a URL names this machine, by the names that only ever stand for it. */
export const isLoopback = ({ hostname }: URL) => loopbackHosts.has(hostname)

/** The port in full: that of the scheme where the URL leaves it out. */
export const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')

const checkPort = (url: URL, { ownPorts }: DestinationRules): Destination =>
  ownPorts.includes(portOf(url))
    ? refuse('The host belongs to this service.')
    : { ok: true, url, loopback: true }

function checkHost(url: URL, { ownHosts }: DestinationRules): Destination {
  const name = bareName(url.hostname)
  if (isAddress(name)) return refuse('The host must be a name, not an address.')
  const fault = faultOfName(name, ownHosts)
  if (fault !== null) return refuse(fault)
  url.hostname = name
  return { ok: true, url, loopback: false }
}

/** After parsing, every spelling of an address is one of these. */
const isAddress = (host: string) => host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host)
