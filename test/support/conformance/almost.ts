/** Values that are almost as described: something is missing, or one too many, or of another type, or just outside. */
import fc from 'fast-check'

type Node = { [name: string]: unknown } | unknown[]
type Edit = (value: unknown, odd: unknown) => unknown

/** Values of other types, and such as are taken for others. */
const odd = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  0.5,
  1e21,
  0.0000001,
  '',
  ' ',
  '\u2003\n',
  'x',
  '7',
  '2026-11-30',
  '2026-11-30T10:00:00+0200',
  '2026-11-30t10:00:00z',
  '2026-11-30 10:00:00Z',
  '2016-12-31T23:59:60Z',
  [],
  {},
  [null],
)

const grown: Edit = (value, other) => {
  if (typeof value === 'string') return `${value}${typeof other === 'string' ? other || '😀' : 'é'}`
  if (typeof value === 'number') return value + 1
  if (Array.isArray(value)) return value.length > 0 ? [...value, value.at(-1)] : [other]
  return isObject(value) ? { ...value, colour: other } : other
}

const shrunk: Edit = (value, other) => {
  if (typeof value === 'string') return Array.from(value).slice(1).join('')
  if (typeof value === 'number') return value - 1
  if (Array.isArray(value)) return value.slice(1)
  return isObject(value) ? Object.fromEntries(Object.entries(value).slice(1)) : other
}

const bent: Edit = (value, other) => {
  if (typeof value === 'string') return value.toUpperCase() === value ? `\n${value}` : value.toUpperCase()
  if (typeof value === 'number') return value + 0.0000005
  if (Array.isArray(value)) return Array.from({ length: 1001 }, () => value[0] ?? other)
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [`${name} `, one]))
    : other
}

const replaced: Edit = (_, other) => other

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Every value within a value, itself first. */
function placesIn(value: unknown): (readonly (string | number)[])[] {
  if (!isObject(value)) return [[]]
  const parts = Array.isArray(value) ? [...value.entries()].slice(0, 3) : Object.entries(value)
  return [[], ...parts.flatMap(([name, one]) => placesIn(one).map((place) => [name, ...place]))]
}

function editedAt(
  value: unknown,
  [name, ...rest]: readonly (string | number)[],
  edit: (one: unknown) => unknown,
): unknown {
  if (name === undefined) return edit(value)
  const copy: Node = Array.isArray(value) ? [...value] : { ...(value as Node) }
  const one = Reflect.get(copy, name)
  Reflect.set(copy, name, editedAt(one, rest, edit))
  return copy
}

const edits = fc.record({
  place: fc.nat(),
  edit: fc.constantFrom(grown, shrunk, bent, replaced),
  odd,
})

/** The values, some as they are, and most with an edit or two. */
export const almost = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(values, fc.array(edits, { maxLength: 2 })).map(([value, wanted]) =>
    wanted.reduce<unknown>((so, { place, edit, odd: other }) => {
      const places = placesIn(so)
      return editedAt(so, places[place % places.length] ?? [], (one) => edit(one, other))
    }, value),
  )
