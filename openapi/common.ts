/** Schemas that every part of the API shares. */
import { z } from '@hono/zod-openapi'

export const Timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'RFC 3339, UTC, milliseconds.', example: '2026-11-29T10:00:00.000Z' })

export const NullableTimestamp = Timestamp.nullable()

/** At most 6 decimals: money is integer micro-USD inside. */
export const Usd = z
  .number()
  .meta({ format: 'double', description: 'USD, at most 6 decimals.', example: 0.000125 })

/** Money that a request bounds something by. One micro-USD more than was asked for is too much, so what would be rounded is refused. */
export const UsdLimit = z
  .number()
  .min(0)
  .max(1_000_000_000)
  .refine((amount) => Math.round(amount * 1_000_000) / 1_000_000 === amount, { error: 'At most 6 decimals.' })
  .meta({ format: 'double', description: 'USD, at most 6 decimals.' })

export const Metadata = z
  .record(z.string(), z.string())
  .meta({ id: 'Metadata', description: 'Your own string pairs, returned as they came.' })

/** In the words of JSON Schema, of which the types of the document know only some. */
const pairs = {
  maxProperties: 16,
  propertyNames: { minLength: 1, maxLength: 64 },
  additionalProperties: { type: 'string' as const, maxLength: 512 },
}

export const MetadataInput = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine((all) => Object.keys(all).length <= 16, { error: 'At most 16 pairs.' })
  .meta({
    id: 'MetadataInput',
    description: 'Up to 16 string pairs of your own; keys of 1 to 64 characters, values up to 512.',
    ...pairs,
  })

const FieldError = z
  .object({
    pointer: z
      .string()
      .optional()
      .meta({ description: 'JSON Pointer into the body.', example: '/input/text' }),
    parameter: z.string().optional().meta({ description: 'Name of the query parameter or header.' }),
    detail: z.string().meta({ description: 'What is wrong there, in words for people.' }),
  })
  .meta({ id: 'FieldError', description: 'One place that is wrong: `pointer` or `parameter` says where.' })
export type FieldError = z.infer<typeof FieldError>

export const Problem = z
  .looseObject({
    type: z.string().meta({
      format: 'uri',
      description:
        'The kind of problem, to tell problems apart by: the base URL, `/problems/` and a slug. The URL answers with an explanation and what to do.',
    }),
    title: z.string().meta({ description: 'The kind of problem in words, the same each time.' }),
    status: z.int().meta({ description: 'The status code of the answer.' }),
    detail: z.string().meta({ description: 'What is the matter this time, in words for people.' }),
    instance: z.string().meta({ description: 'Names this one occurrence.' }),
    request_id: z.string().meta({ description: 'As in `X-Request-Id`: tell us this when you ask about it.' }),
    errors: z.array(FieldError).optional().meta({ description: 'The first 100 places that are wrong.' }),
    error_count: z.int().optional().meta({ description: 'How many places are wrong.' }),
  })
  .meta({
    id: 'Problem',
    description:
      'Problem details (RFC 9457). Every refusal and every fault under `/v1` and `/ops/v1` has this form. Problems may gain members.',
  })

export const DEFAULT_LIMIT = 20
const digits = /^[1-9][0-9]{0,2}$/

/** `limit` and `cursor`, as on every list. */
export const pageQuery = {
  limit: z
    .string()
    .regex(digits, { error: 'Must be a whole number from 1 to 100.', abort: true })
    .refine((value) => Number(value) <= 100, { error: 'Must be a whole number from 1 to 100.' })
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: DEFAULT_LIMIT,
      format: 'int32',
      description: 'How many a page holds at most.',
    }),
  cursor: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .meta({ description: 'Opaque; `next_cursor` of the page before. Bound to tenant and filter.' }),
}

/** A time in a query or a body. The pattern says what readers of RFC 3339 differ about: capitals, a colon in the zone, no leap seconds. */
export const MomentInput = z.iso.datetime({ offset: true }).meta({
  format: 'date-time',
  pattern: '^[0-9-]{10}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$',
})

export const timeFilter = (description: string) => MomentInput.optional().meta({ description })

export const pageFields = {
  has_more: z.boolean().meta({ description: 'Whether there is a next page.' }),
  next_cursor: z
    .string()
    .nullable()
    .meta({ description: 'The `cursor` of the next page; null on the last one.' }),
}

/** The answer of a list of `item`, under its own component name. */
export const pageOf = <T extends z.ZodType>(name: string, item: T) =>
  z.object({ data: z.array(item), ...pageFields }).meta({ id: name, description: 'One page of a list.' })
