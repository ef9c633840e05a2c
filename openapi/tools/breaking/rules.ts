/** The rules for a plain schema that has become another, apart from what lies inside it. */
import { isDeepStrictEqual } from 'node:util'
import type { Schema } from './documents.ts'

/** What customers send, or what they get. */
export type Flow = 'in' | 'out'

type Rule = (before: Schema, after: Schema, flow: Flow) => readonly string[]

const quoted = (value: unknown) => JSON.stringify(value) ?? 'not set'

const valuesOf = (schema: Schema) => (schema.const === undefined ? schema.enum : [schema.const])

const missing = (from: readonly unknown[], values: readonly unknown[]) =>
  values.filter((value) => !from.includes(value))

const type: Rule = (before, after, flow) => {
  const [inner, outer] = flow === 'in' ? [before.type, after.type] : [after.type, before.type]
  const fits = !outer || inner === outer || (inner === 'integer' && outer === 'number')
  return fits ? [] : [`its type was ${before.type ?? 'anything'}, and is ${after.type ?? 'anything'}`]
}

const values: Rule = (before, after, flow) => {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  if (flow === 'in') {
    if (!is) return []
    return was
      ? missing(is, was).map((value) => `no longer takes ${quoted(value)}`)
      : ['takes listed values only']
  }
  if (!was) return []
  return is ? missing(was, is).map((value) => `may now be ${quoted(value)}`) : ['may now be any value']
}

const lowest = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const highest = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

const number = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise)

/** What comes back may lie within wider bounds: they are limits of the service, and go up. */
const bounds: Rule = (before, after, flow) => {
  if (flow === 'out') return []
  const narrowed = [
    ...lowest.filter((name) => number(after[name], -Infinity) > number(before[name], -Infinity)),
    ...highest.filter((name) => number(after[name], Infinity) < number(before[name], Infinity)),
  ]
  return narrowed.map((name) => `its ${name} was ${quoted(before[name])}, and is ${quoted(after[name])}`)
}

/** Of these it cannot be told whether the new one takes what the old one took. */
const constraints = ['pattern', 'multipleOf', 'uniqueItems', 'propertyNames', 'prefixItems']

const constrained: Rule = (before, after, flow) =>
  constraints
    .filter((name) => flow === 'in' && after[name] && !isDeepStrictEqual(before[name], after[name]))
    .map((name) => `its ${name} was ${quoted(before[name])}, and is ${quoted(after[name])}`)

const format: Rule = (before, after, flow) => {
  const [was, is] = [before.format, after.format]
  const isWider = was === 'int32' && is === 'int64'
  const matters = flow === 'in' ? is && !isWider : was
  return matters && was !== is ? [`its format was ${was ?? 'not set'}, and is ${is ?? 'not set'}`] : []
}

const absence: Rule = (before, after, flow) =>
  flow === 'in' && before.default !== undefined && !isDeepStrictEqual(before.default, after.default)
    ? [`its default was ${quoted(before.default)}, and is ${quoted(after.default)}`]
    : []

const required: Rule = (before, after, flow) => {
  const [was, is] = [before.required ?? [], after.required ?? []]
  if (flow === 'in') return missing(was, is).map((name) => `now requires ${quoted(name)}`)
  return missing(is, was)
    .filter((name) => after.properties?.[String(name)])
    .map((name) => `${quoted(name)} may now be missing`)
}

const properties: Rule = (before, after) =>
  missing(Object.keys(after.properties ?? {}), Object.keys(before.properties ?? {})).map(
    (name) => `no longer has ${quoted(name)}`,
  )

const closed: Rule = (before, after, flow) =>
  flow === 'in' && after.additionalProperties === false && before.additionalProperties !== false
    ? ['no longer takes properties that it does not name']
    : []

const rules = [values, bounds, constrained, format, absence, required, properties, closed]

/** Of another type, nothing else is worth telling. */
export const brokenRules: Rule = (before, after, flow) => {
  const ofType = type(before, after, flow)
  return ofType.length > 0 ? ofType : rules.flatMap((rule) => rule(before, after, flow))
}
