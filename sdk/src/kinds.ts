/** Types that follow the kind of work: what comes back for `summarize` has a summary. */
import type {
  ClassifyOutput,
  CreateBatchData,
  CreateBatchResponses,
  CreateJobData,
  CreateJobResponses,
  EmbedOutput,
  GetBatchResultsResponses,
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

export type JobResult<K extends Kind = Kind> = K extends Kind
  ? Omit<GetJobResultResponses[200], 'kind' | 'output'> & { kind: K; output: Outputs[K] }
  : never

/** A line of a batch's results; `output` there where the item succeeded and its content is kept. */
export type BatchResult<K extends Kind = Kind> = Omit<GetBatchResultsResponses[200], 'output'> & {
  output?: Outputs[K] | null
}

/** A job or a batch, or its ID. One that is given whole brings the kind of its results along. */
export type Ref<K extends Kind = Kind> = string | { readonly id: string; readonly kind?: K }
export const idOf = (ref: string | { readonly id: string }): string =>
  typeof ref === 'string' ? ref : ref.id
