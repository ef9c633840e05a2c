/** What all of it came to: a job that is waited for, the usage, the limits, the models. */

import type { Job } from '../../openapi/jobs.ts'
import { type Gateway, operations } from '../../sdk/src/index.ts'
import { claim } from './claim.ts'
import { got, note, sent, step, why } from './narrator.ts'

export async function waitForJob(acme: Gateway, { id }: Pick<Job, 'id'>): Promise<void> {
  step('Asking once, and waiting')
  const asked = { client: acme.client, path: { job_id: id } }
  const { data, response } = await operations.getJob(asked)
  const etag = response.headers.get('ETag') ?? ''
  sent(`GET  /v1/jobs/${id}    Prefer: wait=20, If-None-Match: ${etag}`)
  const headers = { Prefer: 'wait=20', 'If-None-Match': etag }
  const again = await operations.getJob({ ...asked, headers, throwOnError: false })
  claim(data?.terminal === true, 'the job had ended')
  claim(again.response?.status === 304, 'nothing had changed')
  got(`304  ${again.response?.headers.get('Preference-Applied')}`)
  why('One that had not ended would have kept the request until it had, or 20 seconds, as one request.')
}

export async function readUsage(acme: Gateway): Promise<void> {
  step('What it all came to')
  sent('GET  /v1/usage?group_by=model')
  const { data, total } = await acme.account.usage({ group_by: 'model' })
  claim(total.jobs > 0 && total.items > 0 && total.failed > 0, 'jobs, items and failures are counted')
  claim(data.reduce((sum, { jobs }) => sum + jobs, 0) === total.jobs, 'the models add up to the whole')
  got(`200  ${total.jobs} jobs and ${total.items} items, of which ${total.failed} failed`)
  for (const { model, jobs, items, input_tokens, output_tokens, cost_usd } of data)
    note(
      `${model}: ${jobs} jobs, ${items} items, ${input_tokens} tokens in, ${output_tokens} out, $${cost_usd}`,
    )
}

export async function readLimits(acme: Gateway): Promise<void> {
  sent('GET  /v1/limits')
  const { limits, plan } = await acme.account.limits()
  const { used, remaining } = limits.requests_per_minute
  claim(used + remaining === plan.requests_per_minute, 'what is used and what is left are the plan')
  got(`200  ${remaining} of ${plan.requests_per_minute} requests are left in this minute`)
  why('Limits hold work back and refuse requests; they never cost a job an attempt.')
}
