/**
 * IDs: a prefix, then 28 Crockford base-32 characters that sort by creation: 10 of time (ms), 2 of ledger shard, 16 of the rest.
 * The shard travels in the ID from day one, so that a tenant can be split later without renaming anything.
 */

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_LENGTH = 10
const SHARD_LENGTH = 2
const RANDOM_LENGTH = 16
const SEQUENCE_LENGTH = 8

export type IdPrefix =
  | 'job'
  | 'batch'
  | 'file'
  | 'evt'
  | 'we'
  | 'whk'
  | 'dlv'
  | 'dl'
  | 'client'
  | 'iss'
  | 'alert'
  | 'eval'
export type RandomBytes = (length: number) => Uint8Array

function base32(value: number, length: number): string {
  let text = ''
  for (let rest = value, at = 0; at < length; at++, rest = Math.floor(rest / 32))
    text = ALPHABET[rest % 32] + text
  return text
}

const random32 = (length: number, random: RandomBytes) =>
  Array.from(random(length), (byte) => ALPHABET[byte & 31]).join('')

const head = (prefix: IdPrefix, shard: number, now: number) =>
  `${prefix}_${base32(now, TIME_LENGTH)}${base32(shard, SHARD_LENGTH)}`

/** A fresh ID. `now` in milliseconds since the epoch. */
export const mintId = (prefix: IdPrefix, shard: number, now: number, random: RandomBytes) =>
  head(prefix, shard, now) + random32(RANDOM_LENGTH, random)

/** An ID that also carries the ledger's own event number, so that it is found without an index. */
export const mintSequencedId = (
  prefix: IdPrefix,
  shard: number,
  now: number,
  sequence: number,
  random: RandomBytes,
) => head(prefix, shard, now) + base32(sequence, SEQUENCE_LENGTH) + random32(SEQUENCE_LENGTH, random)

const shape = new RegExp(`^([a-z]+)_([${ALPHABET}]{${TIME_LENGTH + SHARD_LENGTH + RANDOM_LENGTH}})$`)

/** Whether the text has the form of one of our IDs of this prefix; says nothing about existence. */
export const isId = (prefix: IdPrefix, id: string) => shape.exec(id)?.[1] === prefix

function numberOf(text: string): number {
  let value = 0
  for (const character of text) value = value * 32 + ALPHABET.indexOf(character)
  return value
}

/** When an ID was minted, in milliseconds since the epoch. */
export const timeOf = (id: string): number => numberOf(id.slice(id.indexOf('_') + 1).slice(0, TIME_LENGTH))

/** The event number that an ID of this prefix carries; null for text of another form. Says nothing about existence. */
export function sequenceOf(prefix: IdPrefix, id: string): number | null {
  if (!isId(prefix, id)) return null
  const at = prefix.length + 1 + TIME_LENGTH + SHARD_LENGTH
  return numberOf(id.slice(at, at + SEQUENCE_LENGTH))
}

/** The smallest ID tail of a moment: `id >= prefix_floor` is everything minted at or after it. */
export const idFloor = (prefix: IdPrefix, at: number) => `${prefix}_${base32(Math.max(0, at), TIME_LENGTH)}`

const POOL_BYTES = 4096
let pool = new Uint8Array(0)

/** From the platform's generator, fetched in pages: a call for a few bytes costs as much as one for thousands. */
export const randomBytes: RandomBytes = (length) => {
  if (pool.length < length) pool = crypto.getRandomValues(new Uint8Array(Math.max(POOL_BYTES, length)))
  const bytes = pool.slice(0, length)
  pool = pool.subarray(length)
  return bytes
}
