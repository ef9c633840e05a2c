/**
 * Which IP addresses are global: on the public internet, and nothing that a network keeps for itself (IANA's registries of
 * special-purpose addresses, RFC 6890). Pure.
 */
interface Bits {
  readonly value: bigint
  readonly width: 32 | 128
}
interface Range extends Bits {
  readonly prefix: number
}

const deniedV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure answers its machines here; the range around it is public.
  '168.63.129.16/32',
].map(rangeOf)

/** All that is handed out. What maps, translates or embeds IPv4 lies outside of it, or in the ranges below. */
const globalV6 = rangeOf('2000::/3')
/** IETF protocol assignments with Teredo and ORCHID, 6to4, documentation. */
const deniedV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(rangeOf)

/** Whether an address in the usual text form is global; null for a text that is no address. */
export function isGlobal(text: string): boolean | null {
  const address = bitsOf(text)
  if (!address) return null
  const denied = address.width === 32 ? deniedV4 : deniedV6
  const apart = address.width === 32 || isWithin(address, globalV6)
  return apart && !denied.some((range) => isWithin(address, range))
}

function isWithin({ value, width }: Bits, range: Range): boolean {
  const rest = BigInt(width - range.prefix)
  return value >> rest === range.value >> rest
}

function rangeOf(text: string): Range {
  const [start = '', prefix] = text.split('/')
  const bits = bitsOf(start)
  if (!bits) throw new Error(`${text} is not a range.`)
  return { ...bits, prefix: Number(prefix) }
}

function bitsOf(text: string): Bits | null {
  return v4Of(text) ?? v6Of(text)
}

/** Four decimal numbers and nothing else: a leading zero would be octal to some. */
function v4Of(text: string): Bits | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return null
  return { value: parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n), width: 32 }
}

/** By the parser of URLs (RFC 4291 with embedded IPv4, without a zone), which writes each address in one way (RFC 5952). */
function v6Of(text: string): Bits | null {
  const url = `http://[${text}]/`
  if (!/^[0-9a-f:.]+$/i.test(text) || !URL.canParse(url)) return null
  const [head = '', tail = ''] = new URL(url).hostname.slice(1, -1).split('::')
  const [first, last] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array<string>(8 - first.length - last.length).fill('0')
  const groups = [...first, ...zeros, ...last]
  return { value: groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n), width: 128 }
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
