/** Changes to what a JSON body says, at a place that chance picks. */
import type { Chance } from '../../chaos/chance.ts'
import { CANARY } from '../canary.ts'

type Parent = Record<string, unknown> | unknown[]
interface Place {
  readonly parent: Parent
  readonly key: string | number
}

const LONG = 70_000
const MANY = 1200
const DEEP = 5000

/** Odd values, each of which some parser or some bound somewhere minds. */
const odd: readonly ((chance: Chance) => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 0.1,
  () => 1e308,
  () => 2 ** 53,
  () => -(2 ** 31) - 1,
  () => '',
  () => ' ',
  () => '\u0000',
  () => '\uFFFD\uFEFF',
  () => '👩‍👩‍👧‍👦'.repeat(20),
  () => '\u202Eright to left',
  () => "'; drop table jobs; --",
  () => '{{7*7}}<script>alert(1)</script>',
  () => '../../etc/passwd',
  () => CANARY,
  () => `${CANARY}-`.repeat(50),
  () => 'a'.repeat(LONG),
  () => [],
  () => ({}),
  () => [[[[]]]],
  () => Array.from({ length: MANY }, () => 'a'),
  () => ({ constructor: 1, toString: null, hasOwnProperty: [] }),
  () => '2026-02-30T25:61:61Z',
  () => 'http://127.0.0.1:1/',
  () => 'https://user:secret@[::1]:443/',
  () => 'test/hangs',
  () => 'openai/gpt-4o',
  (chance) => chance.next() * 1e9,
]

/** The body with one of its values changed; a body that is none is replaced. */
export function changeValue(body: unknown, chance: Chance): unknown {
  const places = placesIn(body)
  if (places.length === 0) return chance.pick(odd)(chance)
  const { parent, key } = chance.pick(places)
  const change = chance.pick([replace, replace, replace, remove, addUnknown, duplicate])
  change(parent, key, chance)
  return body
}

const replace = (parent: Parent, key: string | number, chance: Chance) =>
  set(parent, key, chance.pick(odd)(chance))

function remove(parent: Parent, key: string | number): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
}

function addUnknown(parent: Parent, _key: string | number, chance: Chance): void {
  const name = chance.pick([
    'unknown',
    'constructor',
    'toString',
    '',
    'Kind',
    'a'.repeat(300),
    'ключ',
    '$ref',
  ])
  if (Array.isArray(parent)) parent.push(chance.pick(odd)(chance))
  else set(parent, name, chance.pick(odd)(chance))
}

function duplicate(parent: Parent, key: string | number): void {
  if (Array.isArray(parent)) parent.push(structuredClone(parent[Number(key)]))
  else set(parent, `${key} `, parent[key])
}

const set = (parent: Parent, key: string | number, value: unknown) =>
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true })

function placesIn(body: unknown): Place[] {
  if (typeof body !== 'object' || body === null || body instanceof Uint8Array) return []
  const parent = body as Parent
  return Object.entries(parent).flatMap(([key, value]) => [{ parent, key }, ...placesIn(value)])
}

/** So deep that whoever descends by calling himself runs out of stack. */
export const deep = (): string => `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`
