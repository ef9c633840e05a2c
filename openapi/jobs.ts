/** Jobs as customers send and see them. */
import { z } from '@hono/zod-openapi'
import { type KindName, kindNames } from '../catalog/kind.ts'
import { kinds } from '../catalog/kinds.ts'
import { confidentialities } from '../catalog/models.ts'
import {
  Metadata,
  MetadataInput,
  NullableTimestamp,
  pageOf,
  pageQuery,
  Timestamp,
  Usd,
  UsdLimit,
} from './common.ts'

export const jobStatuses = ['accepted', 'running', 'retrying', 'succeeded', 'failed', 'cancelled'] as const
export type JobStatus = (typeof jobStatuses)[number]

export const statusReasons = [
  'waiting_for_dispatch',
  'waiting_for_limit',
  'waiting_for_retry',
  'intake_paused',
  'running',
] as const
export type StatusReason = (typeof statusReasons)[number]

export const failureClasses = [
  'timeout',
  'rate_limited',
  'provider_unavailable',
  'provider_overloaded',
  'invalid_output',
  'internal',
  'permission_denied',
  'model_not_found',
  'invalid_input',
  'input_too_large',
  'content_filtered',
  'unsupported_kind',
  'budget_exhausted',
  'deadline_exceeded',
] as const
export type FailureClass = (typeof failureClasses)[number]

export const priorities = ['high', 'normal', 'low'] as const
export type Priority = (typeof priorities)[number]

const JobStatusSchema = z.enum(jobStatuses).openapi('JobStatus')
export const Kind = z.enum(kindNames).openapi('Kind')
export const Confidentiality = z.enum(confidentialities).openapi('Confidentiality')

/** What jobs and batches are asked for with alike. */
export const requestFields = {
  model: z.string().min(1).max(128).optional().openapi({ description: 'Default: the model of the kind.' }),
  metadata: MetadataInput.optional(),
  deadline_seconds: z.int().min(5).max(604_800).optional().openapi({ default: 86_400, format: 'int32' }),
  retention_seconds: z.int().min(0).max(2_592_000).optional().openapi({
    default: 604_800,
    format: 'int32',
    description:
      'How long input and result are kept after the end. With 0 they go at once then, too soon for a result to be read.',
  }),
  max_cost_usd: UsdLimit.optional(),
  confidentiality: z.enum(confidentialities).optional().openapi({ default: 'internal' }),
  processing_version: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .optional()
    .openapi({ default: '1' }),
}

const requestOf = <K extends KindName, I extends z.ZodType, P extends z.ZodType>(
  kind: K,
  { input, params }: { input: I; params: P },
) =>
  z
    .strictObject({
      kind: z.literal(kind),
      input,
      params: params.optional(),
      ...requestFields,
      priority: z.enum(priorities).optional().openapi({ default: 'normal' }),
    })
    .openapi(`${capitalised(kind)}JobRequest`)

/** As names of schemas begin. */
export const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** One member for each kind: the compiler asks for a new one here. */
const requests = {
  summarize: requestOf('summarize', kinds.summarize),
  embed: requestOf('embed', kinds.embed),
  classify: requestOf('classify', kinds.classify),
  report: requestOf('report', kinds.report),
  transcribe: requestOf('transcribe', kinds.transcribe),
} satisfies Record<KindName, z.ZodType>

export const JobRequest = z
  .discriminatedUnion('kind', [
    requests.summarize,
    requests.embed,
    requests.classify,
    requests.report,
    requests.transcribe,
  ])
  .openapi('JobRequest', {
    example: {
      kind: 'summarize',
      input: { text: 'All human beings are born free.' },
      params: { max_words: 50 },
    },
  })
export type JobRequest = z.infer<typeof JobRequest>

export const JobError = z
  .object({
    class: z.enum(failureClasses),
    message: z.string(),
    retryable: z.boolean().openapi({ description: 'Whether submitting the same again may succeed.' }),
  })
  .openapi('JobError')

export const Usage = z
  .object({ input_tokens: z.int(), output_tokens: z.int(), cost_usd: Usd })
  .openapi('Usage')

export const Job = z
  .object({
    id: z.string().openapi({ example: 'job_01jd0000000000000000000000000' }),
    object: z.literal('job'),
    kind: Kind,
    model: z.string(),
    model_version: z.string(),
    provider: z.string(),
    provider_request_id: z.string().nullable(),
    status: JobStatusSchema,
    terminal: z.boolean(),
    status_reason: z.enum(statusReasons).nullable(),
    attempts: z.int(),
    created_at: Timestamp,
    started_at: NullableTimestamp,
    last_attempt_at: NullableTimestamp,
    next_attempt_at: NullableTimestamp,
    finished_at: NullableTimestamp,
    deadline_at: Timestamp,
    content_expires_at: NullableTimestamp,
    content_deleted_at: NullableTimestamp,
    error: z.union([JobError, z.null()]),
    usage: z.union([Usage, z.null()]),
    metadata: Metadata,
    priority: z.enum(priorities),
    confidentiality: Confidentiality,
    processing_version: z.string(),
    created_by: z.string().openapi({ description: 'The client that submitted the job.' }),
    batch_id: z.string().nullable(),
    redrive_of: z.string().nullable(),
    status_url: z.string().openapi({ format: 'uri' }),
    result_url: z.string().openapi({ format: 'uri' }),
  })
  .openapi('Job')
export type Job = z.infer<typeof Job>

export const JobPage = pageOf('JobPage', Job)

export const JobQuery = z.object({
  ...pageQuery,
  status: z.enum(jobStatuses).optional(),
  kind: z.enum(kindNames).optional(),
  batch_id: z.string().min(1).max(64).optional(),
  created_after: z.iso.datetime({ offset: true }).optional().openapi({ format: 'date-time' }),
  created_before: z.iso.datetime({ offset: true }).optional().openapi({ format: 'date-time' }),
  metadata: z
    .string()
    .regex(/^[^:]{1,64}:[\s\S]{0,512}$/, { error: 'Must be key:value.' })
    .optional()
    .openapi({ description: 'One pair, as `key:value`.', example: 'order:4711' }),
})
export type JobQuery = z.infer<typeof JobQuery>

/** One member for each kind, from the registry itself. */
const outputs = kindNames.map((name) => kinds[name].output)
export const JobOutput = z
  .union(outputs as [(typeof outputs)[number], ...typeof outputs])
  .openapi('JobOutput')

export const JobEstimate = z
  .object({
    estimated_cost_usd: Usd.openapi({ description: 'What one attempt is expected to cost at most.' }),
    estimated_input_tokens: z.int(),
    model: z.string(),
    would_be_accepted: z.boolean(),
    reasons: z
      .array(z.string())
      .openapi({ description: 'Why not, as the last part of the problem type that a submission would get.' }),
  })
  .openapi('JobEstimate', {
    example: {
      estimated_cost_usd: 0.01,
      estimated_input_tokens: 1200,
      model: 'test/priced',
      would_be_accepted: false,
      reasons: ['budget-exhausted'],
    },
  })

export const JobResult = z
  .object({
    id: z.string(),
    object: z.literal('job_result'),
    kind: Kind,
    model: z.string(),
    output: JobOutput,
    usage: Usage,
  })
  .openapi('JobResult')
export type JobResult = z.infer<typeof JobResult>
