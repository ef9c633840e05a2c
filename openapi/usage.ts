/** Usage as customers see it: what was done and what it cost, by day, kind or model. */
import { z } from '@hono/zod-openapi'
import { Usd } from './common.ts'
import { openEnum, orNull } from './enums.ts'
import { Kind } from './job-words.ts'

export const usageGroupings = ['day', 'kind', 'model'] as const
export type UsageGrouping = (typeof usageGroupings)[number]

/** What a range may span at most, both ends included. */
export const MOST_DAYS = 366

const day = z.iso.date({ error: 'Must be a date, such as 2026-11-30.' })
const asked = (description: string, example: string) =>
  day.optional().meta({ description, example, format: 'date' })

export const usageFormats = ['json', 'csv'] as const

export const UsageQuery = z.object({
  from: asked('The first day, in UTC. Default: the first of the month of `to`.', '2026-11-01'),
  to: asked(`The last day, in UTC, included; up to ${MOST_DAYS} days in all. Default: today.`, '2026-11-30'),
  group_by: z.enum(usageGroupings).optional().meta({ default: 'day', description: 'What each row is of.' }),
  format: z.enum(usageFormats).optional().meta({
    description:
      '`csv`: the rows as a table, for whoever cannot send `Accept: text/csv`. Default: what `Accept` prefers.',
  }),
})
export type UsageQuery = z.infer<typeof UsageQuery>

const count = (description: string, example: number) =>
  z.int().meta({ format: 'int64', description, example })

export const usageFigures = {
  jobs: count('Jobs that ended, those of batches aside.', 128),
  items: count('Items of batches that ended.', 5000),
  succeeded: count('Of both.', 5100),
  failed: count('Of both. What was cancelled or expired is in neither.', 20),
  input_tokens: count('As the providers counted. Of audio, seconds.', 912_000),
  output_tokens: count('As the providers counted.', 48_000),
  cost_usd: Usd,
}

const UsageGroupingShown = openEnum('UsageGrouping', usageGroupings, 'What each row is of.')

export const UsageFigures = z
  .object(usageFigures)
  .meta({ id: 'UsageFigures', description: 'What was done and what it cost.' })

export const UsageRow = z
  .object({
    day: z.iso.date().nullable().meta({ description: 'Null unless grouped by day.', example: '2026-11-30' }),
    kind: orNull(Kind).meta({ description: 'Null unless grouped by kind.', example: null }),
    model: z.string().nullable().meta({ description: 'Null unless grouped by model.', example: null }),
    ...usageFigures,
  })
  .meta({ id: 'UsageRow', description: 'The usage of one day, kind or model.' })

export const UsageReport = z
  .object({
    object: z.literal('usage'),
    from: z.iso.date().meta({ example: '2026-11-01' }),
    to: z.iso.date().meta({ example: '2026-11-30' }),
    group_by: UsageGroupingShown,
    data: z.array(UsageRow).meta({
      description: 'In the order of days or names. Of what there was no usage, there is no row.',
    }),
    total: UsageFigures,
  })
  .meta({ id: 'UsageReport', description: 'Usage over a range of days.' })
export type UsageReport = z.infer<typeof UsageReport>

/** In the words of JSON Schema, of which the types of the document know only some. */
const table = { contentMediaType: 'text/csv' }

/** A table by RFC 4180. */
export const UsageCsv = z.string().meta({
  id: 'UsageCsv',
  description:
    'The rows of the report, without the total, as comma-separated values: a line of names, then one for each row. Lines end with CRLF.',
  ...table,
})
