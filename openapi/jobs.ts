/** Jobs as customers send and see them. */
import { z } from '@hono/zod-openapi'
import { type KindName, kindNames } from '../catalog/kind.ts'
import { kinds } from '../catalog/kinds.ts'
import {
  Metadata,
  MetadataInput,
  NullableTimestamp,
  pageOf,
  pageQuery,
  Timestamp,
  timeFilter,
  Usd,
  UsdLimit,
} from './common.ts'
import { noted, orNull } from './enums.ts'
import {
  Confidentiality,
  ConfidentialityInput,
  JobFailureClass,
  JobStatusFilter,
  JobStatusReason,
  JobStatusShown,
  Kind,
  KindFilter,
  PriorityInput,
  PriorityShown,
} from './job-words.ts'

/** What jobs and batches are asked for with alike. */
export const requestFields = {
  model: z.string().min(1).max(128).optional().meta({ description: 'Default: the model of the kind.' }),
  metadata: MetadataInput.optional(),
  deadline_seconds: z.int().min(5).max(604_800).optional().meta({
    default: 86_400,
    format: 'int32',
    description: 'Work that has not ended by then fails or expires; counted from its acceptance.',
  }),
  retention_seconds: z.int().min(0).max(2_592_000).optional().meta({
    default: 604_800,
    format: 'int32',
    description:
      'How long input and result are kept after the end. With 0 they go at once then, too soon for a result to be read.',
  }),
  max_cost_usd: UsdLimit.optional().meta({
    description: 'Refuse the work (402) when its estimate is above this. USD, at most 6 decimals.',
  }),
  confidentiality: noted(ConfidentialityInput, { default: 'internal' }).optional(),
  processing_version: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .optional()
    .meta({ default: '1', description: 'Your own name for the way in which the work is asked for.' }),
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
      priority: noted(PriorityInput, { default: 'normal' }).optional(),
    })
    .meta({ id: `${capitalised(kind)}JobRequest`, description: `A job of the kind \`${kind}\`.` })

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
  .meta({ id: 'JobRequest', description: 'A job to run; `kind` says what its input and parameters are.' })
export type JobRequest = z.infer<typeof JobRequest>

export const JobError = z
  .object({
    class: JobFailureClass,
    message: z.string().meta({ description: 'The same for a class each time, in words for people.' }),
    retryable: z.boolean().meta({ description: 'Whether submitting the same again may succeed.' }),
  })
  .meta({ id: 'JobError', description: 'Why a job failed for good.' })

const tokens = z.int().meta({ format: 'int64' })

export const Usage = z
  .object({ input_tokens: tokens, output_tokens: tokens, cost_usd: Usd })
  .meta({ id: 'Usage', description: 'What the provider counted, and what it cost.' })

export const Job = z
  .object({
    id: z.string().meta({ example: 'job_01kb9ka0e8000h3t6w9y2c5f8j1m' }),
    object: z.literal('job'),
    kind: Kind,
    model: z.string().meta({ description: 'The model that it runs on.' }),
    model_version: z.string().meta({ description: 'Of the model, when the job was accepted.' }),
    provider: z.string().meta({ description: 'Who runs the model.' }),
    provider_request_id: z
      .string()
      .nullable()
      .meta({ description: "The provider's own ID of the last attempt, where it gave one." }),
    status: JobStatusShown,
    terminal: z.boolean().meta({ description: 'Whether the job has ended: nothing changes any more.' }),
    status_reason: orNull(JobStatusReason).meta({ description: 'Null for a job that has ended.' }),
    attempts: z.int().meta({ description: 'How often the job has been started.' }),
    created_at: Timestamp,
    started_at: NullableTimestamp.meta({ description: 'Of the first attempt; null before it.' }),
    last_attempt_at: NullableTimestamp,
    next_attempt_at: NullableTimestamp.meta({ description: 'Null unless `retrying`.' }),
    finished_at: NullableTimestamp.meta({ description: 'Null until the job has ended.' }),
    deadline_at: Timestamp.meta({ description: 'When it fails if it has not ended.' }),
    content_expires_at: NullableTimestamp.meta({
      description: 'When input and result are deleted; null until the job has ended.',
    }),
    content_deleted_at: NullableTimestamp.meta({
      description: 'When they were deleted; null while they are there.',
    }),
    error: orNull(JobError).meta({ description: 'Null unless the job failed.' }),
    usage: orNull(Usage).meta({ description: 'Null while nothing has been counted.' }),
    metadata: Metadata,
    priority: PriorityShown,
    confidentiality: Confidentiality,
    processing_version: z.string(),
    created_by: z.string().meta({ description: 'The client that submitted the job.' }),
    batch_id: z.string().nullable().meta({ description: 'The batch that the job runs an item of.' }),
    redrive_of: z
      .string()
      .nullable()
      .meta({ description: 'The job that failed, which operators let run again as this one.' }),
    status_url: z.string().meta({ format: 'uri', description: 'Where to read the job.' }),
    result_url: z.string().meta({ format: 'uri', description: 'Where to read its result.' }),
  })
  .meta({ id: 'Job', description: 'A job and what became of it.' })
export type Job = z.infer<typeof Job>

export const JobPage = pageOf('JobPage', Job)

export const JobQuery = z.object({
  ...pageQuery,
  status: JobStatusFilter.optional(),
  kind: KindFilter.optional(),
  batch_id: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .meta({ description: 'Only jobs that run items of this batch.' }),
  created_after: timeFilter('Only what was created at this time or later.'),
  created_before: timeFilter('Only what was created before this time.'),
  metadata: z
    .string()
    .regex(/^[^:]{1,64}:[\s\S]{0,512}$/, { error: 'Must be key:value.' })
    .optional()
    .meta({ description: 'One pair, as `key:value`.', example: 'order:4711' }),
})
export type JobQuery = z.infer<typeof JobQuery>

/** One member for each kind, from the registry itself. */
const outputs = kindNames.map((name) => kinds[name].output)
export const JobOutput = z
  .union(outputs as [(typeof outputs)[number], ...typeof outputs])
  .meta({ id: 'JobOutput', description: 'What came of it; the kind of the work says which of these it is.' })

export const JobEstimate = z
  .object({
    estimated_cost_usd: Usd.meta({ description: 'What one attempt is expected to cost at most.' }),
    estimated_input_tokens: tokens,
    model: z.string().meta({ description: 'The model that the job would run on.' }),
    would_be_accepted: z.boolean(),
    reasons: z
      .array(z.string())
      .meta({ description: 'Why not, as the last part of the problem type that a submission would get.' }),
  })
  .meta({ id: 'JobEstimate', description: 'What a job would cost, and whether it would be accepted now.' })
export type JobEstimate = z.infer<typeof JobEstimate>

const resultOf = <K extends KindName, O extends z.ZodType>(kind: K, { output }: { output: O }) =>
  z
    .object({
      id: z.string().meta({ description: 'Of the job.' }),
      object: z.literal('job_result'),
      kind: z.literal(kind),
      model: z.string(),
      output,
      usage: Usage,
    })
    .meta({
      id: `${capitalised(kind)}JobResult`,
      description: `The result of a job of the kind \`${kind}\`.`,
    })

/** One member for each kind: the compiler asks for a new one here. */
const results = {
  summarize: resultOf('summarize', kinds.summarize),
  embed: resultOf('embed', kinds.embed),
  classify: resultOf('classify', kinds.classify),
  report: resultOf('report', kinds.report),
  transcribe: resultOf('transcribe', kinds.transcribe),
} satisfies Record<KindName, z.ZodType>

export const JobResult = z
  .discriminatedUnion('kind', [
    results.summarize,
    results.embed,
    results.classify,
    results.report,
    results.transcribe,
  ])
  .meta({
    id: 'JobResult',
    description: 'The result of a job; `kind` says what its output is. Kinds may be added.',
  })
export type JobResult = z.infer<typeof JobResult>
