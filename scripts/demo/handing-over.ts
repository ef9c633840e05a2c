/** The first steps: a token, a webhook endpoint, a job, its retry, its status and its result. */
import { kinds } from '../../catalog/kinds.ts'
import { Job } from '../../openapi/jobs.ts'
import { type Api, apiWith, requestToken } from '../support/api.ts'
import { readDeclaration } from '../support/declaration.ts'
import type { Credentials } from '../support/local-run.ts'
import { claim, claimStatus } from './claim.ts'
import { resultOf, seconds, send, settled, submit, type Work } from './customer.ts'
import { got, note, quote, sent, step, why } from './narrator.ts'
import type { Receiver } from './receiver.ts'

export async function getToken({ base_url, tenants }: Credentials): Promise<Api> {
  step('A token')
  const [acme] = tenants
  claim(acme?.tenant_id === 'acme', 'the first tenant is acme')
  sent(`POST /oauth/token    grant_type=client_credentials, as client ${acme.client_id}`)
  const answer = await requestToken(base_url, acme)
  claimStatus(answer, 200)
  const { access_token, expires_in, scope } = answer.body as Record<string, string>
  got(`200  a signed token for ${expires_in} s, scope "${scope}"`)
  why('Plain OAuth 2, which every client library can do. The token names the tenant, so no request has to.')
  return apiWith(base_url, access_token ?? '')
}

export async function createEndpoint(acme: Api, receiver: Receiver): Promise<string> {
  step('Where to be called back')
  const body = { url: await receiver.listen(), event_types: ['job.*', 'batch.*'] }
  sent(`POST /v1/webhook_endpoints    ${JSON.stringify(body)}`)
  const answer = await acme('POST', '/v1/webhook_endpoints', { body })
  claimStatus(answer, 201)
  const { id, secret } = answer.body as { id: string; secret: string }
  receiver.secret = secret
  got(`201  ${id}, secret ${secret.slice(0, 10)}… (shown this once)`)
  why('A receiver on this machine now listens at that URL and checks every signature with the secret.')
  return id
}

export async function handOver(acme: Api): Promise<{ job: Job; request: Work; key: string }> {
  step('Handing over work')
  const { text } = readDeclaration('eng')
  const request: Work = { kind: 'summarize', input: { text }, params: { max_words: 60 } }
  const key = crypto.randomUUID()
  sent(`POST /v1/jobs    summarize, ${text.length} characters: the Universal Declaration of Human Rights`)
  note(`Idempotency-Key: ${key}`)
  const started = performance.now()
  const answer = await send(acme, request, key)
  claimStatus(answer, 202)
  const job = Job.parse(answer.body)
  claim(answer.headers.get('location') === job.status_url, 'Location is the status URL')
  got(`202  ${job.id}, ${job.status}, after ${Math.round(performance.now() - started)} ms`)
  note(job.status_url)
  why('The answer comes once the job is durably recorded; the model has not been asked yet.')
  return { job, request, key }
}

export async function handOverInVain(acme: Api): Promise<Job> {
  step('Handing over work that will fail')
  sent('POST /v1/jobs    summarize, model test/unavailable: a provider that is always down')
  const input = { text: readDeclaration('eng').article(1) }
  const job = await submit(acme, { kind: 'summarize', model: 'test/unavailable', input })
  got(`202  ${job.id}, ${job.status}`)
  why('Its retries take a while and hold up nobody; we come back to it further down.')
  return job
}

export async function sendAgain(acme: Api, first: Awaited<ReturnType<typeof handOver>>): Promise<void> {
  step('A retry, because the 202 might have been lost')
  sent('POST /v1/jobs    the same request with the same key')
  const replay = await send(acme, first.request, first.key)
  claimStatus(replay, 202)
  claim(Job.parse(replay.body).id === first.job.id, 'the replay answers with the first job')
  claim(replay.headers.get('idempotency-replayed') === 'true', 'the replay says that it is one')
  got(`202  ${first.job.id} again, Idempotency-Replayed: true`)

  sent('POST /v1/jobs    another request with the same key')
  const reuse = await send(acme, { ...first.request, params: { max_words: 10 } }, first.key)
  claimStatus(reuse, 422)
  claim(reuse.headers.get('content-type') === 'application/problem+json', 'the refusal is a problem document')
  const { type, title, detail } = reuse.body as Record<string, string>
  got(`422  ${title}`)
  note(`${detail} (${type})`)
  why(
    'Work is accepted, run and billed once, however often it is sent; a mixed-up key does not go unnoticed.',
  )
}

export async function readResult(acme: Api, job: Job): Promise<void> {
  step('Status and result')
  sent(`GET  /v1/jobs/${job.id}    until it has ended`)
  const end = await settled(acme, job)
  claim(end.status === 'succeeded', `the job succeeds; it is ${end.status}`)
  got(
    `200  ${end.status} by ${end.model}, ${seconds(end.created_at, end.finished_at)} s after it was accepted`,
  )
  sent(`GET  /v1/jobs/${job.id}/result`)
  const { output, usage } = await resultOf(acme, job)
  const { summary } = kinds.summarize.output.parse(output)
  claim(summary.split(/\s+/).length <= 60, 'the summary keeps to 60 words')
  got(`200  ${usage.input_tokens} tokens in, ${usage.output_tokens} out, ${usage.cost_usd} USD`)
  quote(summary)
}
