/** Dead letters: what operators see of them, and what they send to end them. */
import { z } from '@hono/zod-openapi'
import { NullableTimestamp, pageOf, pageQuery, Timestamp } from './common.ts'
import { Reason, TenantId } from './ops.ts'

export const deadLetterStatuses = ['open', 'redriven', 'resolved', 'recovered', 'superseded'] as const
export type DeadLetterStatus = (typeof deadLetterStatuses)[number]

const LetterId = z.string().openapi({ example: 'dl_01jd0000000000000000000000000' })
const NewJobId = z.string().openapi({ example: 'job_01jd1111111111111111111111111' })

export const DeadLetter = z
  .object({
    id: LetterId,
    object: z.literal('dead_letter'),
    queue: z.string().openapi({ example: 'jobs' }),
    tenant_id: z.string().nullable(),
    job_id: z.string().nullable(),
    batch_id: z.string().nullable(),
    delivery_id: z.string().nullable(),
    schema_version: z.int().nullable(),
    class: z.string(),
    attempts: z.int(),
    message_sha256: z.string().nullable(),
    status: z.enum(deadLetterStatuses),
    redrivable: z.boolean().openapi({
      description:
        'Whether a redrive may be asked for. What can change meanwhile is checked again then; a dry run tells.',
    }),
    redrive_reason: z.string().openapi({ description: 'Why it may, or may not.' }),
    redrive_conditions: z
      .array(z.string())
      .openapi({ description: 'What must be so for a redrive to help; empty when it may not be asked for.' }),
    created_at: Timestamp,
    review_by: Timestamp,
    redriven_by: z.string().nullable(),
    redriven_at: NullableTimestamp,
    redrive_note: z.string().nullable(),
    new_job_id: NewJobId.nullable(),
  })
  .openapi('DeadLetter')
export type DeadLetter = z.infer<typeof DeadLetter>

export const DeadLetterPage = pageOf('DeadLetterPage', DeadLetter)

export const DeadLetterQuery = z.object({
  ...pageQuery,
  status: z.enum(deadLetterStatuses).optional(),
  class: z.string().min(1).max(64).optional(),
  tenant_id: TenantId.optional(),
  queue: z.string().min(1).max(64).optional(),
})
export type DeadLetterQuery = z.infer<typeof DeadLetterQuery>

/** What every change to one dead letter carries. */
export const DeadLetterAction = z
  .strictObject({ reason: Reason })
  .openapi('DeadLetterAction', { example: { reason: 'The credential at the provider has been renewed.' } })

export const Redrive = z
  .object({
    object: z.literal('redrive'),
    dead_letter_id: LetterId,
    tenant_id: z.string(),
    redrive_of: z.string().openapi({ description: 'The job that failed.' }),
    new_job_id: NewJobId,
  })
  .openapi('Redrive')
export type Redrive = z.infer<typeof Redrive>

/** Dead letters that one call may redrive. */
export const MAX_REDRIVES = 100

const filters = ['class', 'tenant_id', 'queue', 'created_after', 'created_before'] as const

export const RedriveByFilter = z
  .strictObject({
    status: z.literal('open').optional().openapi({ description: 'Only open ones can be redriven.' }),
    class: z.string().min(1).max(64).optional(),
    tenant_id: TenantId.optional(),
    queue: z.string().min(1).max(64).optional(),
    created_after: z.iso.datetime({ offset: true }).optional().openapi({ format: 'date-time' }),
    created_before: z.iso.datetime({ offset: true }).optional().openapi({ format: 'date-time' }),
    limit: z.int().min(1).max(MAX_REDRIVES).optional().openapi({ default: MAX_REDRIVES, format: 'int32' }),
    cursor: z.string().min(1).max(512).optional().openapi({
      description:
        '`next_cursor` of the call before, with the same filter: goes on behind the letters it looked at.',
    }),
    dry_run: z.boolean().optional().openapi({
      default: false,
      description: 'Looks at everything that a redrive would, and changes nothing.',
    }),
    reason: Reason.optional().openapi({ description: 'Why; kept in the audit log. A dry run needs none.' }),
  })
  .refine((body) => filters.some((name) => body[name] !== undefined), {
    error: `At least one of ${filters.join(', ')}.`,
  })
  .refine(({ dry_run, reason }) => dry_run || reason !== undefined, { path: ['reason'], error: 'Required.' })
  .openapi('RedriveByFilter', {
    example: { class: 'permission_denied', dry_run: true },
  })
export type RedriveByFilter = z.infer<typeof RedriveByFilter>

const RedriveOutcome = z
  .object({
    dead_letter_id: LetterId,
    outcome: z.enum(['redriven', 'would_redrive', 'refused']),
    new_job_id: NewJobId.nullable(),
    reason: z.string().nullable().openapi({ description: 'Why it was refused; null otherwise.' }),
  })
  .openapi('RedriveOutcome')
export type RedriveOutcome = z.infer<typeof RedriveOutcome>

export const RedriveReport = z
  .object({
    object: z.literal('redrive_report'),
    dry_run: z.boolean(),
    redriven: z.int(),
    would_redrive: z.int(),
    refused: z.int(),
    data: z
      .array(RedriveOutcome)
      .openapi({ description: 'One for each dead letter looked at, oldest first.' }),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  })
  .openapi('RedriveReport')
export type RedriveReport = z.infer<typeof RedriveReport>
