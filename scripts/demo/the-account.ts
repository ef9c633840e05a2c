/** What all of it came to: a job that is waited for, the usage, the limits, the models. */
import { Job } from '../../openapi/jobs.ts'
import { Limits } from '../../openapi/limits.ts'
import { UsageReport } from '../../openapi/usage.ts'
import type { Api } from '../support/api.ts'
import { claim, claimStatus } from './claim.ts'
import { got, note, sent, step, why } from './narrator.ts'

export async function waitForJob(acme: Api, job: Job): Promise<void> {
  step('Asking once, and waiting')
  const first = await acme('GET', job.status_url)
  const etag = first.headers.get('ETag') ?? ''
  sent(`GET  /v1/jobs/${job.id}    Prefer: wait=20, If-None-Match: ${etag}`)
  const answer = await acme('GET', job.status_url, { headers: { Prefer: 'wait=20', 'If-None-Match': etag } })
  claim(first.status === 200 && Job.parse(first.body).terminal, 'the job had ended')
  claimStatus(answer, 304)
  got(`304  ${answer.headers.get('Preference-Applied')}`)
  why('One that had not ended would have kept the request until it had, or 20 seconds, as one request.')
}

export async function readUsage(acme: Api): Promise<void> {
  step('What it all came to')
  sent('GET  /v1/usage?group_by=model')
  const answer = await acme('GET', '/v1/usage?group_by=model')
  claimStatus(answer, 200)
  const { data, total } = UsageReport.parse(answer.body)
  claim(total.jobs > 0 && total.items > 0 && total.failed > 0, 'jobs, items and failures are counted')
  claim(data.reduce((sum, { jobs }) => sum + jobs, 0) === total.jobs, 'the models add up to the whole')
  got(`200  ${total.jobs} jobs and ${total.items} items, of which ${total.failed} failed`)
  for (const { model, jobs, items, input_tokens, output_tokens, cost_usd } of data)
    note(
      `${model}: ${jobs} jobs, ${items} items, ${input_tokens} tokens in, ${output_tokens} out, $${cost_usd}`,
    )
}

export async function readLimits(acme: Api): Promise<void> {
  sent('GET  /v1/limits')
  const answer = await acme('GET', '/v1/limits')
  claimStatus(answer, 200)
  const { limits, plan } = Limits.parse(answer.body)
  const { used, remaining } = limits.requests_per_minute
  claim(used + remaining === plan.requests_per_minute, 'what is used and what is left are the plan')
  got(`200  ${remaining} of ${plan.requests_per_minute} requests are left in this minute`)
  why('Limits hold work back and refuse requests; they never cost a job an attempt.')
}
