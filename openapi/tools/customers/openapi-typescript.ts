/** A customer's code over the types that openapi-typescript makes. It is compiled and never run. */
import type { components, operations, webhooks } from '../generated/openapi/openapi-typescript.ts'
import type { NoneOf, Untold, UntoldFields } from './told.ts'

type Schemas = components['schemas']
type Job = Schemas['Job']

export type EverySchemaTells = NoneOf<Untold<Schemas>>
export type EveryFieldTells = NoneOf<
  { [Name in keyof Schemas & string]: UntoldFields<Name, Schemas[Name]> }[keyof Schemas]
>

export const request: Schemas['JobRequest'] = {
  kind: 'summarize',
  input: { text: 'All human beings are born free.' },
  params: { max_words: 12 },
  metadata: { order: '4711' },
}

export const misfit: Schemas['JobRequest'] = {
  kind: 'embed',
  // @ts-expect-error What is embedded is a list of texts.
  input: { text: 'All human beings are born free.' },
}

export function inputOf(job: Schemas['JobRequest']): string {
  if (job.kind === 'classify') return job.input.labels.join()
  return job.kind === 'embed' && 'texts' in job.input ? job.input.texts.join() : job.kind
}

export function tell(event: Schemas['Event']): string {
  switch (event.type) {
    case 'job.result_available':
      return event.data.result_url
    case 'job.failed':
      return event.data.error.message
    case 'batch.result_available':
      return `${event.data.results_url} ${event.data.counts.succeeded}`
    default:
      return event.id
  }
}

type Failed = webhooks['job.failed']['post']
export const received = (event: Failed['requestBody']['content']['application/json']): string =>
  event.data.error.class
export const signatureIn = (headers: Failed['parameters']['header']): string => headers['webhook-signature']

export const spent = (job: Job): number => job.usage?.cost_usd ?? 0
// @ts-expect-error A job has no usage before it has run.
export const spentByAll = (job: Job): number => job.usage.cost_usd
// @ts-expect-error There may be no reason.
export const reasonOf = (job: Job): string => job.status_reason
export const reasonOfTomorrow: Job['status_reason'] = 'waiting_for_tomorrow'

type Create = operations['createJob']
export const headers: Create['parameters']['header'] = { 'Idempotency-Key': 'my-first-job' }
export const accepted = (job: Create['responses'][202]['content']['application/json']): string =>
  job.status_url
export const refused = (problem: Create['responses'][422]['content']['application/problem+json']): string =>
  problem.errors?.[0]?.pointer ?? problem.type
