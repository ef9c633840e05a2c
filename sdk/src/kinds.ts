/** Types that follow the kind of work: what comes back for `summarize` has a summary. */
import type {
  BatchResultLine,
  ClassifyOutput,
  CreateBatchData,
  CreateBatchResponses,
  CreateJobData,
  CreateJobResponses,
  EmbedOutput,
  GetJobResultResponses,
  ReportOutput,
  SummarizeOutput,
  TranscribeOutput,
} from './generated/types.gen.ts'

export interface Outputs {
  summarize: SummarizeOutput
  embed: EmbedOutput
  classify: ClassifyOutput
  report: ReportOutput
  transcribe: TranscribeOutput
}

export type Kind = keyof Outputs
/** A type that depends on one kind, for each of several. */
type Of<K extends Kind, T> = Omit<T, 'kind'> & { kind: K }

type AnyJobRequest = CreateJobData['body']
type AnyBatchRequest = CreateBatchData['body']

export type JobRequest<K extends Kind = Kind> = Extract<AnyJobRequest, { kind: K }>
export type BatchRequest<K extends Kind = Kind> = Extract<AnyBatchRequest, { kind: K }>
export type Job<K extends Kind = Kind> = Of<K, CreateJobResponses[202]>
export type Batch<K extends Kind = Kind> = Of<K, CreateBatchResponses[202]>

export type JobResult<K extends Kind = Kind> = Extract<GetJobResultResponses[200], { kind: K }>

/** A line of a batch's results. Its `status` tells what else there is: an `output` of the batch's kind, or an `error`. */
export type BatchResult<K extends Kind = Kind> = OfKind<BatchResultLine, K>
type OfKind<L, K extends Kind> = L extends { output: unknown }
  ? Omit<L, 'output'> & { output: Outputs[K] | null; error?: undefined }
  : L & { output?: undefined } & (L extends { error: unknown } ? unknown : { error?: undefined })

/** A job or a batch, or its ID. One that is given whole brings the kind of its results along. */
export type Ref<K extends Kind = Kind> = string | { readonly id: string; readonly kind?: K }
export const idOf = (ref: string | { readonly id: string }): string =>
  typeof ref === 'string' ? ref : ref.id
