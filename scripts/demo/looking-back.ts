/** The last steps: the failure and its dead letter, the webhooks that came in meanwhile, and what another tenant sees. */

import { Webhook } from 'standardwebhooks'
import { type DeadLetter, DeadLetterPage, Redrive } from '../../openapi/dead-letters.ts'
import type { Gateway, Job } from '../../sdk/src/index.ts'
import type { Api } from '../support/api.ts'
import type { Credentials } from '../support/local-run.ts'
import { claim, claimStatus, eventually, refusal } from './claim.ts'
import { newCustomer, seconds, settled } from './customer.ts'
import { got, note, quote, sent, step, why } from './narrator.ts'
import type { Delivery, Receiver } from './receiver.ts'

export async function readFailure(acme: Gateway, failing: Job): Promise<void> {
  step('The failure')
  sent(`GET  /v1/jobs/${failing.id}    the job that could only fail`)
  const end = await settled(acme, failing)
  claim(
    end.status === 'failed' && end.error?.class === 'provider_unavailable',
    'the job fails as its model does',
  )
  claim(end.attempts >= 6, `it is tried 6 times, not ${end.attempts}`)
  got(`200  ${end.status} after ${end.attempts} attempts in ${seconds(end.created_at, end.finished_at)} s`)
  note(
    `${end.error.class}: ${end.error.message} Worth submitting again: ${end.error.retryable ? 'yes' : 'no'}.`,
  )
  why('What passes is retried with growing pauses; a refusal of the content would have ended it at once.')
}

export async function readDeadLetter(ops: Api, failing: Job): Promise<DeadLetter> {
  step('Its dead letter, as an operator sees it')
  sent("GET  /ops/v1/dead_letters?tenant_id=acme&status=open    with an operator's token")
  const letter = await eventually('the dead letter is there', 20, async () => {
    const answer = await ops('GET', '/ops/v1/dead_letters?tenant_id=acme&status=open')
    claimStatus(answer, 200)
    return DeadLetterPage.parse(answer.body).data.find(({ job_id }) => job_id === failing.id) ?? null
  })
  claim(letter.class === 'provider_unavailable' && letter.redrivable, 'the dead letter can be redriven')
  got(
    `200  ${letter.id}: ${letter.class}, ${letter.attempts} attempts, to be reviewed by ${letter.review_by}`,
  )
  note(letter.redrive_reason)
  why('A failure that a customer cannot mend waits for an operator, with everything but the content.')
  return letter
}

export async function redrive(ops: Api, acme: Gateway, letter: DeadLetter, failing: Job): Promise<void> {
  step("The work again, at an operator's word")
  const path = `/ops/v1/dead_letters/${letter.id}/redrive`
  const body = { reason: 'The provider says that it is up again.' }
  sent(`POST ${path}    ${JSON.stringify(body)}`)
  const answer = await ops('POST', path, { body })
  claimStatus(answer, 202)
  const { new_job_id } = Redrive.parse(answer.body)
  got(`202  ${new_job_id}`)
  const job = await acme.jobs.get(new_job_id)
  claim(job.redrive_of === failing.id, 'the new job names the one it stands for')
  note(`For acme a job like any other: ${job.status}, redrive_of ${job.redrive_of}`)
  sent('POST the same again, as a second operator would')
  const again = await ops('POST', path, { body })
  claimStatus(again, 409)
  const { title, detail } = again.body as Record<string, string>
  got(`409  ${title}`)
  note(`${detail}`)
  why('However many operators ask, the work is done again once, and both jobs and the audit log tell of it.')
}

export async function reviewWebhooks(receiver: Receiver, job: Job, failing: Job): Promise<void> {
  step('The webhooks that came in meanwhile')
  const accepted = await receiver.delivered('job.accepted', job.id)
  const available = await receiver.delivered('job.result_available', job.id)
  const failed = await receiver.delivered('job.failed', failing.id)
  claim(accepted.event.id !== available.event.id, 'accepted and result_available are distinct events')
  claim(failed.event.data.error?.class === 'provider_unavailable', 'job.failed says why')
  claim(receiver.refused === 0, 'every signature holds')
  for (const { event } of receiver.deliveries)
    if (event.type.startsWith('job.') && 'kind' in event.data)
      got(
        `${event.type.padEnd(20)}  ${event.data.kind.padEnd(9)}  ${event.data.id}  ${event.timestamp.slice(11)}`,
      )
  showDelivery(available)
  note(
    `Each signature verified with the package standardwebhooks and by the SDK: ${receiver.deliveries.length} of them.`,
  )
  claimTamperProof(available, receiver)
  note('One byte of a body changed on purpose: refused.')
  why(
    'Accepted and available are separate events under separate IDs, so that a receiver can tell them apart and drop repeats.',
  )
}

function showDelivery({ headers, body }: Delivery): void {
  note('The first result_available, as it came:')
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    quote(`${name}: ${headers[name]}`)
  quote(body)
}

function claimTamperProof({ headers, body }: Delivery, { secret }: Receiver): void {
  const forged = body.replace('"succeeded"', '"succeedeD"')
  claim(forged !== body, 'the body says succeeded')
  let refused = false
  try {
    new Webhook(secret).verify(forged, headers)
  } catch {
    refused = true
  }
  claim(refused, 'a changed body is refused')
}

export async function lookFromOutside({ base_url, tenants }: Credentials, job: Job): Promise<void> {
  step("Another tenant asks for acme's job")
  const globex = tenants.find(({ tenant_id }) => tenant_id === 'globex')
  claim(globex !== undefined, 'there is a tenant globex')
  const other = newCustomer(base_url, globex)
  sent(`GET  /v1/jobs/${job.id}    with a token of globex`)
  const { problem } = await refusal(404, other.jobs.get(job))
  const missing = await refusal(404, other.jobs.get('job_nothing'))
  claim(problem.detail === missing.problem.detail, 'foreign and missing jobs look alike')
  got(`404  ${problem.title} ${problem.detail}`)
  why('The same words as for a job that never was: a tenant cannot even learn that it exists.')
}
