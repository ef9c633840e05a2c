/** What a customer does all day: submit, wait, fetch the result. Answers are read through the API's own schemas. */
import type { z } from '@hono/zod-openapi'
import type { KindName } from '../../catalog/kind.ts'
import { Job, JobResult } from '../../openapi/jobs.ts'
import type { Answer, Api } from '../support/api.ts'
import { claim, claimStatus, eventually } from './claim.ts'

/** The part of a request that the demo uses. */
export interface Work {
  readonly kind: KindName
  readonly model?: string
  readonly input: unknown
  readonly params?: unknown
}

export const send = (api: Api, body: Work, key: string = crypto.randomUUID()): Promise<Answer> =>
  api('POST', '/v1/jobs', { body, headers: { 'Idempotency-Key': key } })

export async function submit(api: Api, body: Work): Promise<Job> {
  const answer = await send(api, body)
  claimStatus(answer, 202)
  return Job.parse(answer.body)
}

/** The job once it has ended. */
export const settled = (api: Api, { status_url }: Job, seconds = 60): Promise<Job> =>
  eventually(`${status_url} ends`, seconds, async () => {
    const answer = await api('GET', status_url)
    claimStatus(answer, 200)
    const job = Job.parse(answer.body)
    return job.terminal ? job : null
  })

export async function resultOf(api: Api, job: Job): Promise<z.infer<typeof JobResult>> {
  const end = await settled(api, job)
  claim(end.status === 'succeeded', `${job.id} succeeds; it is ${end.status}`)
  const answer = await api('GET', job.result_url)
  claimStatus(answer, 200)
  return JobResult.parse(answer.body)
}

export const seconds = (from: string | null, to: string | null) =>
  ((Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000).toFixed(1)
