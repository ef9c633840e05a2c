/** Where an answer does not fit its schema, for a log that takes no text of a customer: names that the schema has, and no others. */
import { z } from '@hono/zod-openapi'
import { fieldErrors, jsonPointer } from '../openapi/field-errors.ts'

const PLACES_TOLD = 20

/** As `/usage/cost_usd: Must be of type number.` A name that comes from the value, as those of metadata do, is a star. */
export function placesOf(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): string {
  const known = new Set(namesIn(schema))
  const shown = (part: PropertyKey) => (typeof part === 'number' || known.has(String(part)) ? part : '*')
  const places = fieldErrors(issues, (path) => ({ pointer: jsonPointer(path.map(shown)), detail: '' }))
  const told = places.map(({ pointer, detail }) => `${pointer || '/'}: ${detail}`)
  return [...new Set(told)].slice(0, PLACES_TOLD).join(' ')
}

/** The names of the members of all objects within. */
function namesIn(schema: unknown): string[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, member]) => [name, ...namesIn(member)])
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(namesIn)
  if (schema instanceof z.ZodArray) return namesIn(schema.element)
  if (schema instanceof z.ZodLazy) return namesIn(schema.unwrap())
  if (schema instanceof z.ZodRecord) return namesIn(schema.valueType)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return namesIn(schema.unwrap())
  return []
}
