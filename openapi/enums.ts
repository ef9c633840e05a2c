/** How the document speaks of values from a list, and of values that may be missing. */
import { z } from '@hono/zod-openapi'

/**
 * A list in answers, which may grow: the document names the present values and says that others may come, so that no client breaks
 * over a new one. To our own code it is a closed list.
 */
export const openEnum = <const V extends readonly [string, ...string[]]>(
  name: string,
  values: V,
  description: string,
) =>
  z.enum(values).meta({
    id: name,
    description: `${description} More values may be added.`,
    anyOf: [{ type: 'string', enum: [...values] }, { type: 'string' }],
  })

/** A list in requests: nothing else is taken. */
export const closedEnum = <const V extends readonly [string, ...string[]]>(
  name: string,
  values: V,
  description: string,
) => z.enum(values).meta({ id: name, description })

/** `.nullable()` of a named schema would make null of it everywhere. */
export const orNull = <T extends z.ZodType>(schema: T) => z.union([schema, z.null()])

/** A named schema with words of its own at this place: without the detour they would be said of it everywhere. */
export const noted = <T extends z.ZodType>(
  schema: T,
  words: { description?: string; default?: unknown },
): z.ZodLazy<T> => z.lazy(() => schema).meta(words)
