/** Values that a JSON Schema describes, for properties that hold of all of them; lengths and numbers are often the least and the most. */
import fc from 'fast-check'
import { schemaAt } from './schemas.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly object[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
}

type Values = fc.Arbitrary<unknown>

/** Longer ones take their time, and have no other edges. */
const LONGEST = 2100
const MOST_ITEMS = 20

export function valuesOf(schema: Schema): Values {
  if (schema.$ref !== undefined) return valuesOf(schemaAt(schema.$ref) as Schema)
  const branches = schema.oneOf ?? schema.anyOf
  if (branches) return fc.oneof(...branches.map(valuesOf))
  // References with words of their own around them; nothing else is an `allOf`.
  if (schema.allOf) return valuesOf(Object.assign({}, ...schema.allOf) as Schema)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = [schema.type ?? []].flat()
  return types.length === 0
    ? fc.jsonValue({ maxDepth: 1 })
    : fc.oneof(...types.map((type) => byType[type]?.(schema) ?? fc.constant(null)))
}

const byType: Readonly<Record<string, (schema: Schema) => Values>> = {
  string: strings,
  object: objects,
  array: ({ items = {}, minItems = 0, maxItems = MOST_ITEMS }) =>
    lengths(minItems, Math.min(maxItems, MOST_ITEMS)).chain((length) =>
      fc.array(valuesOf(items), { minLength: length, maxLength: length }),
    ),
  integer: ({ minimum = 0, maximum = 1000 }) =>
    fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum })),
  number: ({ minimum = 0, maximum = 1000 }) =>
    fc.oneof(
      fc.constantFrom(minimum, maximum),
      fc.integer({ min: minimum * 1_000_000, max: maximum * 1_000_000 }).map((micro) => micro / 1_000_000),
    ),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
}

const lengths = (least: number, most: number) =>
  fc.oneof(fc.constantFrom(least, most), fc.integer({ min: least, max: Math.min(most, least + 5) }))

const formats: Readonly<Record<string, Values>> = {
  'date-time': fc
    .date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2099-12-31') })
    .map((date) => date.toISOString()),
  iri: fc.constantFrom(
    'https://example.com/hooks',
    'https://hooks.example.org/a?b=c#d',
    'https://bücher.com/ü',
  ),
}

const characters = fc.constantFrom('a', 'Z', '7', '_', '-', ' ', 'ü', '\u3042', '😀', '\n', '\u00a0')

function strings({ format, pattern, minLength = 0, maxLength = 40 }: Schema): Values {
  if (format && formats[format]) return formats[format]
  if (pattern !== undefined && pattern !== NOT_BLANK) return fc.stringMatching(new RegExp(pattern))
  return fc
    .tuple(lengths(minLength, Math.min(maxLength, LONGEST)), characters)
    .map(([length, character]) =>
      length === 0 ? '' : `${'x'.repeat(length > 1 ? 1 : 0)}${character.repeat(length > 1 ? length - 1 : 1)}`,
    )
}

const NOT_BLANK = '\\S'

function objects({ properties = {}, required = [], additionalProperties, ...schema }: Schema): Values {
  const named = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, valuesOf(one)]))
  const members = fc.record(named, { requiredKeys: required.filter((name) => name in named) })
  if (typeof additionalProperties !== 'object') return members
  const names = valuesOf({ type: 'string', minLength: 1, ...schema.propertyNames })
  const most = schema.maxProperties ?? MOST_ITEMS
  const more = lengths(schema.minProperties ?? 0, most).chain((length) =>
    fc.dictionary(names as fc.Arbitrary<string>, valuesOf(additionalProperties), {
      minKeys: Math.min(length, 1),
      maxKeys: length,
    }),
  )
  return fc.tuple(members, more).map(([some, others]) => ({ ...others, ...some }))
}
