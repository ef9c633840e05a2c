/** Dead letters: what operators see of them, and what they send to end them. */
import { z } from '@hono/zod-openapi'
import { NullableTimestamp, pageFields, pageOf, pageQuery, Timestamp, timeFilter } from './common.ts'
import { closedEnum, openEnum } from './enums.ts'
import { someOf, where } from './members.ts'
import { Reason } from './ops.ts'
import { TenantId } from './tenant-words.ts'

export const deadLetterStatuses = ['open', 'redriven', 'resolved', 'recovered', 'superseded'] as const
export type DeadLetterStatus = (typeof deadLetterStatuses)[number]

const LetterId = z.string().meta({ example: 'dl_01kb9n4x6t000c7f0j3p6r9u2w5z' })
const NewJobId = z.string().meta({ example: 'job_01kb9p8z1v000d9g2k5q8s1v4x7b' })
const DeadLetterStatus = openEnum(
  'DeadLetterStatus',
  deadLetterStatuses,
  '`recovered`: its work went on by itself. `superseded`: other work has taken its place.',
)
const DeadLetterStatusFilter = closedEnum(
  'DeadLetterStatusFilter',
  deadLetterStatuses,
  'Only dead letters with this status.',
)

export const DeadLetter = z
  .object({
    id: LetterId,
    object: z.literal('dead_letter'),
    queue: z.string().meta({ example: 'jobs' }),
    tenant_id: z.string().nullable(),
    job_id: z.string().nullable(),
    batch_id: z.string().nullable(),
    delivery_id: z.string().nullable(),
    schema_version: z.int().nullable(),
    class: z.string(),
    attempts: z.int(),
    message_sha256: z.string().nullable(),
    status: DeadLetterStatus,
    redrivable: z.boolean().meta({
      description:
        'Whether a redrive may be asked for. What can change meanwhile is checked again then; a dry run tells.',
    }),
    redrive_reason: z.string().meta({ description: 'Why it may, or may not.' }),
    redrive_conditions: z
      .array(z.string())
      .meta({ description: 'What must be so for a redrive to help; empty when it may not be asked for.' }),
    created_at: Timestamp,
    review_by: Timestamp,
    redriven_by: z.string().nullable(),
    redriven_at: NullableTimestamp,
    redrive_note: z.string().nullable(),
    new_job_id: NewJobId.nullable(),
  })
  .meta({
    id: 'DeadLetter',
    description:
      'Work that ended in a way that only operators can mend, or a message that could not be handled.',
  })
export type DeadLetter = z.infer<typeof DeadLetter>

export const DeadLetterPage = pageOf('DeadLetterPage', DeadLetter)

const nameFilter = (description: string) => z.string().min(1).max(64).optional().meta({ description })

export const DeadLetterQuery = z.object({
  ...pageQuery,
  status: DeadLetterStatusFilter.optional(),
  class: nameFilter('Only those of this class of failure.'),
  tenant_id: TenantId.optional().meta({ description: 'Only those of this tenant.' }),
  queue: nameFilter('Only those of this queue.'),
})
export type DeadLetterQuery = z.infer<typeof DeadLetterQuery>

export const Redrive = z
  .object({
    object: z.literal('redrive'),
    dead_letter_id: LetterId,
    tenant_id: z.string(),
    redrive_of: z.string().meta({ description: 'The job that failed.' }),
    new_job_id: NewJobId,
  })
  .meta({ id: 'Redrive', description: 'The new job that a failed one runs again as.' })
export type Redrive = z.infer<typeof Redrive>

/** Dead letters that one call may redrive. */
export const MAX_REDRIVES = 100

const dryRun = { required: ['dry_run'], properties: { dry_run: { enum: [true] } } }
const filters = ['class', 'tenant_id', 'queue', 'created_after', 'created_before'] as const

interface Period {
  readonly created_after?: string | undefined
  readonly created_before?: string | undefined
}

const isPeriod = ({ created_after: from, created_before: before }: Period) =>
  !from || !before || Date.parse(from) <= Date.parse(before)

export const RedriveByFilter = z
  .strictObject({
    status: z.literal('open').optional().meta({ description: 'Only open ones can be redriven.' }),
    class: nameFilter('Only those of this class of failure.'),
    tenant_id: TenantId.optional().meta({ description: 'Only those of this tenant.' }),
    queue: nameFilter('Only those of this queue.'),
    created_after: timeFilter('Only what was created at this time or later.'),
    created_before: timeFilter('Only what was created before this time.'),
    limit: z.int().min(1).max(MAX_REDRIVES).optional().meta({ default: MAX_REDRIVES, format: 'int32' }),
    cursor: z.string().min(1).max(512).optional().meta({
      description:
        '`next_cursor` of the call before, with the same filter: goes on behind the letters it looked at.',
    }),
    dry_run: z.boolean().optional().meta({
      default: false,
      description: 'Looks at everything that a redrive would, and changes nothing.',
    }),
    reason: Reason.optional().meta({ description: 'Why; kept in the audit log. A dry run needs none.' }),
  })
  .refine((body) => filters.some((name) => body[name] !== undefined), {
    error: `At least one of ${filters.join(', ')}.`,
  })
  .refine(isPeriod, { path: ['created_before'], error: 'The period ends before it begins.' })
  .refine(({ dry_run, reason }) => dry_run || reason !== undefined, { path: ['reason'], error: 'Required.' })
  .meta({
    id: 'RedriveByFilter',
    description: `Which open dead letters are redriven. At least one of ${filters.join(', ')}; \`reason\` is required unless it is a dry run.`,
    ...where({ hold: [someOf(...filters), { anyOf: [someOf('reason'), dryRun] }] }),
  })
export type RedriveByFilter = z.infer<typeof RedriveByFilter>

const OutcomeShown = openEnum(
  'RedriveOutcomeName',
  ['redriven', 'would_redrive', 'refused'],
  'What became of it, or would become of it.',
)

const RedriveOutcome = z
  .object({
    dead_letter_id: LetterId,
    outcome: OutcomeShown,
    new_job_id: NewJobId.nullable(),
    reason: z.string().nullable().meta({ description: 'Why it was refused; null otherwise.' }),
  })
  .meta({ id: 'RedriveOutcome', description: 'What became of one dead letter.' })
export type RedriveOutcome = z.infer<typeof RedriveOutcome>

export const RedriveReport = z
  .object({
    object: z.literal('redrive_report'),
    dry_run: z.boolean(),
    redriven: z.int(),
    would_redrive: z.int(),
    refused: z.int(),
    data: z.array(RedriveOutcome).meta({ description: 'One for each dead letter looked at, oldest first.' }),
    ...pageFields,
  })
  .meta({ id: 'RedriveReport', description: 'What a redrive by filter came to, or would come to.' })
export type RedriveReport = z.infer<typeof RedriveReport>
