/**
 * What of a schema breaks those who go by an older one. What customers send must still be taken (`in`); what they get must be nothing that they
 * could not get before (`out`), save for what they were told to be ready for: further properties, and further kinds where a discriminator tells
 * kinds apart. So one side has to lie within the other.
 */
import { type Alternative, alternativesOf } from './alternatives.ts'
import { type Change, type Document, resolved, type Schema } from './documents.ts'
import { brokenRules, type Flow } from './rules.ts'

export type Comparison = {
  readonly flow: Flow
  readonly place: string
  readonly before: Document
  readonly after: Document
  /** Pairs of components that have been compared, or are being: each is told of once, and recursion ends. */
  readonly seen: Set<string>
}

type Pair = readonly [before: Schema | undefined, after: Schema | undefined]

const ofOthers = ({ additionalProperties: others }: Schema) =>
  typeof others === 'object' ? others : undefined

/** What lies inside both: their shared properties, all other properties, the items, what a text holds. */
function innerPairs(before: Schema, after: Schema): Record<string, Pair> {
  const shared = Object.entries(before.properties ?? {}).map(([name, schema]): [string, Pair] => {
    const now = after.properties?.[name]
    return [name, [now && schema, now]]
  })
  return {
    ...Object.fromEntries(shared),
    '*': [ofOthers(before), ofOthers(after)],
    '0': [before.items, after.items],
    content: [before.contentSchema, after.contentSchema],
  }
}

function plainChanges(before: Schema, after: Schema, at: Comparison): Change[] {
  const own = brokenRules(before, after, at.flow).map((message) => ({ place: at.place, message }))
  const inner = Object.entries(innerPairs(before, after)).flatMap(([name, [was, is]]) =>
    was || is ? schemaChanges(was ?? {}, is ?? {}, { ...at, place: `${at.place}/${name}` }) : [],
  )
  return [...own, ...inner]
}

/** Whether a pair has been met before; from now on it has. */
function isSeen({ flow, seen }: Comparison, kind: string, one?: string, other?: string): boolean {
  if (!one || !other) return false
  const pair = [flow, kind, one, other].join(' ')
  const before = seen.has(pair)
  seen.add(pair)
  return before
}

function changesBetween(inner: Alternative, outer: Alternative, at: Comparison): Change[] {
  if (isSeen(at, 'alternatives', inner.component, outer.component)) return []
  return at.flow === 'in'
    ? plainChanges(inner.schema, outer.schema, at)
    : plainChanges(outer.schema, inner.schema, at)
}

type Alternatives = readonly Alternative[]

/** The one that most likely was meant, where none fits: of its name, or the only one of its type, or at all, on both sides. */
function counterpart(
  inner: Alternative,
  inners: Alternatives,
  outers: Alternatives,
): Alternative | undefined {
  if (inners.length === 1 && outers.length === 1) return outers[0]
  const ofType = (all: Alternatives) => all.filter(({ schema }) => schema.type === inner.schema.type)
  const [only, ...others] = ofType(outers)
  const isOnly = others.length === 0 && ofType(inners).length === 1
  return ofType(outers).find(({ name }) => name === inner.name) ?? (isOnly ? only : undefined)
}

type Union = { readonly inners: Alternatives; readonly outers: Alternatives; readonly mayGrow: boolean }

function alternativeChanges(
  inner: Alternative,
  { inners, outers, mayGrow }: Union,
  at: Comparison,
): Change[] {
  const fits = (outer: Alternative) =>
    changesBetween(inner, outer, { ...at, seen: new Set(at.seen) }).length === 0
  if (outers.some(fits)) return []
  const meant = counterpart(inner, inners, outers)
  if (meant) return changesBetween(inner, meant, at)
  if (mayGrow) return []
  const message = at.flow === 'in' ? `no longer takes ${inner.name}` : `may now be ${inner.name}`
  return [{ place: at.place, message }]
}

export function schemaChanges(before: Schema, after: Schema, at: Comparison): Change[] {
  if (isSeen(at, 'schemas', before.$ref, after.$ref)) return []
  const [was, is] = [alternativesOf(before, at.before), alternativesOf(after, at.after)]
  const [inners, outers] = at.flow === 'in' ? [was, is] : [is, was]
  const mayGrow = at.flow === 'out' && resolved(before, at.before).discriminator !== undefined
  return inners.flatMap((inner) => alternativeChanges(inner, { inners, outers, mayGrow }, at))
}
