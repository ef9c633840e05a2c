/** A customer's code over the client that hey-api makes. It is compiled and never run. */

import type { Event, Job, JobRequest, JobResult, Problem } from '../generated/openapi/hey-api/index.ts'
import { createJob, getJob, listEvents } from '../generated/openapi/hey-api/index.ts'
import type { NoneOf, UntoldFields } from './told.ts'

export type EveryFieldTells = NoneOf<
  | UntoldFields<'Job', Job>
  | UntoldFields<'JobResult', JobResult>
  | UntoldFields<'Problem', Problem>
  | UntoldFields<'Event', Event>
>

export const misfit: JobRequest = {
  kind: 'embed',
  // @ts-expect-error What is embedded is a list of texts.
  input: { text: 'All human beings are born free.' },
}

export async function submit(text: string, key: string): Promise<string> {
  const { data, error } = await createJob({
    headers: { 'Idempotency-Key': key },
    body: { kind: 'summarize', input: { text }, params: { max_words: 12 } },
  })
  if (data) return data.status_url
  return error?.errors?.[0]?.pointer ?? 'refused'
}

export async function outcomeOf(jobId: string): Promise<string> {
  const { data: job } = await getJob({ path: { job_id: jobId }, throwOnError: true })
  return job.terminal ? `${job.status} for ${job.usage?.cost_usd ?? 0} USD` : (job.status_reason ?? 'running')
}

// @ts-expect-error A job is submitted with a key.
export const withoutKey = (body: JobRequest) => createJob({ body })
// @ts-expect-error A job has no usage before it has run.
export const spentByAll = (job: Job): number => job.usage.cost_usd
export const reasonOfTomorrow: Job['status_reason'] = 'waiting_for_tomorrow'

function tell(event: Event): string {
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

export async function feed(after: string): Promise<string[]> {
  const { data: page } = await listEvents({ query: { after }, throwOnError: true })
  return page.data.map(tell)
}
