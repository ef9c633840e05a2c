/** What a failed parse says, in our own words: where, and what is wanted. Never the input. */
import type { z } from '@hono/zod-openapi'
import type { FieldError } from './common.ts'

type Issue = z.core.$ZodIssue

/** Places and reasons of a failed parse, flat: `at` is where the parsed value stands. Our own words, never the input. */
export function fieldErrors(issues: readonly Issue[], at: (path: PropertyKey[]) => FieldError): FieldError[] {
  return measurable(issues).flatMap((issue): FieldError[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ ...at([...issue.path, shortened(key)]), detail: 'Unknown field.' }))
    if (issue.code === 'invalid_union') return unionErrors(issue, at)
    return [{ ...at(issue.path), detail: wording(issue) }]
  })
}

/** Zod measures whatever has a length: of a value that is of another type, that is the length of something else. */
function measurable(issues: readonly Issue[]): readonly Issue[] {
  const mistyped = new Set(
    issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [jsonPointer(path)] : [])),
  )
  return issues.filter(
    ({ code, path }) => (code !== 'too_big' && code !== 'too_small') || !mistyped.has(jsonPointer(path)),
  )
}

/** Of a union's branches the one that fits best speaks. */
function unionErrors(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  at: (path: PropertyKey[]) => FieldError,
) {
  const best = issue.errors.toSorted((a, b) => distance(a) - distance(b) || a.length - b.length)[0]
  if (!best) return [{ ...at(issue.path), detail: own(issue) ?? 'Not one of the allowed values.' }]
  return fieldErrors(best, (path) => at([...issue.path, ...path]))
}

/** A field that is missing or unknown says that another branch was meant; wrong values, however many, say that this one was. */
const distance = (issues: readonly Issue[]) => issues.filter(isAboutShape).length

const isAboutShape = (issue: Issue) =>
  issue.code === 'unrecognized_keys' ||
  (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))

/** Where Zod's word for a type is not JSON Schema's. */
const typeNames: Readonly<Record<string, string>> = { record: 'object', int: 'integer' }

function wording(issue: Issue): string {
  if (issue.code === 'invalid_type')
    return isAboutShape(issue)
      ? 'Required.'
      : `Must be of type ${typeNames[issue.expected] ?? issue.expected}.`
  if (issue.code === 'invalid_value') return `Must be one of: ${issue.values.map(String).join(', ')}.`
  if (issue.code === 'too_big') return `Must be at most ${measure(issue.maximum, issue.origin)}.`
  if (issue.code === 'too_small') return `Must be at least ${measure(issue.minimum, issue.origin)}.`
  if (issue.code === 'invalid_format' && issue.format === 'datetime')
    return 'Must be a time with its zone (RFC 3339), such as 2026-11-30T10:00:00Z.'
  if (issue.code === 'invalid_key') return `A name: ${issue.issues.map(wording).join(' ')}`
  return own(issue) ?? 'Does not have the required format.'
}

/** Zod's own words start like this; ours say what is wanted. */
const own = ({ message }: Issue) => (message.startsWith('Invalid') ? null : message)

function measure(bound: number | bigint, origin: string): string {
  if (origin === 'string') return `${bound} ${bound === 1 ? 'character' : 'characters'} long`
  if (origin === 'array') return `${bound} ${bound === 1 ? 'item' : 'items'} long`
  return String(bound)
}

const NAME_SHOWN = 128

/** A name that is a text of its own is not echoed whole. */
export const shortened = (name: string) => (name.length > NAME_SHOWN ? `${name.slice(0, NAME_SHOWN)}…` : name)

/** RFC 6901; long names are shortened. */
export const jsonPointer = (path: readonly PropertyKey[]) =>
  path
    .map((part) => `/${shortened(String(part)).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
    .toWellFormed()
