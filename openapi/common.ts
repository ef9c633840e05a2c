/** Schemas that every part of the API shares. */
import { z } from '@hono/zod-openapi'

export const Timestamp = z.iso
  .datetime({ precision: 3 })
  .openapi({ description: 'RFC 3339, UTC, milliseconds.', example: '2026-11-29T10:00:00.000Z' })

export const NullableTimestamp = Timestamp.nullable()

/** At most 6 decimals: money is integer micro-USD inside. */
export const Usd = z
  .number()
  .openapi({ format: 'double', description: 'USD, at most 6 decimals.', example: 0.000125 })

/** Money that a request bounds something by. One micro-USD more than was asked for is too much, so what would be rounded is refused. */
export const UsdLimit = z
  .number()
  .min(0)
  .max(1_000_000_000)
  .refine((amount) => Math.round(amount * 1_000_000) / 1_000_000 === amount, { error: 'At most 6 decimals.' })
  .openapi({ format: 'double', description: 'USD, at most 6 decimals.' })

export const Metadata = z
  .record(z.string(), z.string())
  .openapi('Metadata', { description: "The customer's own string pairs, returned as they came." })

export const MetadataInput = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, { error: 'At most 16 pairs.' })
  .openapi({
    description: 'Up to 16 pairs; keys up to 64, values up to 512 characters.',
    example: { order: '4711' },
  })

const FieldError = z
  .object({
    pointer: z
      .string()
      .optional()
      .openapi({ description: 'JSON Pointer into the body.', example: '/input/text' }),
    parameter: z.string().optional().openapi({ description: 'Name of the query parameter or header.' }),
    detail: z.string(),
  })
  .openapi('FieldError')
export type FieldError = z.infer<typeof FieldError>

export const Problem = z
  .looseObject({
    type: z.string().openapi({ format: 'uri', example: 'https://api.example.com/problems/not-found' }),
    title: z.string(),
    status: z.int().openapi({ format: 'int32' }),
    detail: z.string(),
    instance: z.string(),
    request_id: z.string(),
    errors: z.array(FieldError).optional(),
    error_count: z.int().optional().openapi({ format: 'int32' }),
  })
  .openapi('Problem', { description: 'RFC 9457 problem details.' })

export const DEFAULT_LIMIT = 20
const digits = /^[1-9][0-9]{0,2}$/

/** `limit` and `cursor`, as on every list. */
export const pageQuery = {
  limit: z
    .string()
    .regex(digits, { error: 'Must be a whole number from 1 to 100.', abort: true })
    .refine((value) => Number(value) <= 100, { error: 'Must be a whole number from 1 to 100.' })
    .optional()
    .openapi({ type: 'integer', minimum: 1, maximum: 100, default: DEFAULT_LIMIT, format: 'int32' }),
  cursor: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .openapi({ description: 'Opaque; `next_cursor` of the page before. Bound to tenant and filter.' }),
}

/** The answer of a list of `item`, under its own component name. */
export const pageOf = <T extends z.ZodType>(name: string, item: T) =>
  z.object({ data: z.array(item), has_more: z.boolean(), next_cursor: z.string().nullable() }).openapi(name)
