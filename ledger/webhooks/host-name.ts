/** Which host names may stand for a receiver: public ones that are not our own. Pure; where a name leads is for DNS to say. */

/** Names that are never public: special-use domains (RFC 6761, 6762, 7686, 8375, 9476), internal suffixes, metadata services. */
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
  'arpa',
  'svc',
  'test',
  'invalid',
  'example',
  'onion',
  'alt',
  'metadata.goog',
]

const MAX_LENGTH = 253
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
/** A top-level domain is letters, in its own script or in ASCII; a number there makes an address of the name to some. */
const topLevel = /^([a-z]{2,}|xn--[a-z0-9-]+)$/

/** In lower case and without the one dot that may end it: `example.com.` is `example.com`. */
export const bareName = (host: string) => host.toLowerCase().replace(/\.$/, '')

/** Why not, in our own words; null for a name that is in order. Takes a bare name. */
export function faultOfName(name: string, ownHosts: readonly string[]): string | null {
  const labels = name.split('.')
  const top = labels.at(-1) ?? ''
  if (labels.length < 2) return 'The host must be a public name.'
  if (name.length > MAX_LENGTH || !labels.every((one) => label.test(one)))
    return 'The host is not a valid name.'
  if (!topLevel.test(top) || deniedSuffixes.some((suffix) => isWithin(name, suffix)))
    return 'The host is not a public name.'
  return ownHosts.some((own) => isWithin(name, own)) ? 'The host belongs to this service.' : null
}

const isWithin = (name: string, suffix: string) => name === suffix || name.endsWith(`.${suffix}`)
