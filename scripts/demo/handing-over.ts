/** The first steps: a token, a webhook endpoint, a job, its retry, its status and its result. */
import type { Gateway, Job, JobRequest } from '../../sdk/src/index.ts'
import { requestToken } from '../support/api.ts'
import { readDeclaration } from '../support/declaration.ts'
import type { Credentials } from '../support/local-run.ts'
import { claim, claimStatus, refusal } from './claim.ts'
import { newCustomer, resultOf, seconds, send, settled } from './customer.ts'
import { got, note, quote, sent, step, why } from './narrator.ts'
import type { Receiver } from './receiver.ts'

export function acmeIn({ tenants: [acme] }: Credentials) {
  claim(acme?.tenant_id === 'acme', 'the first tenant is acme')
  return acme
}

export async function getToken(credentials: Credentials): Promise<Gateway> {
  step('A token')
  const { base_url } = credentials
  const acme = acmeIn(credentials)
  sent(`POST /oauth/token    grant_type=client_credentials, as client ${acme.client_id}`)
  const answer = await requestToken(base_url, acme)
  claimStatus(answer, 200)
  const { expires_in, scope } = answer.body as Record<string, string>
  got(`200  a signed token for ${expires_in} s, scope "${scope}"`)
  why('Plain OAuth 2, which every client library can do. The token names the tenant, so no request has to.')
  note('The SDK, which the rest goes by, gets and renews its own.')
  return newCustomer(base_url, acme)
}

export async function createEndpoint(acme: Gateway, receiver: Receiver): Promise<string> {
  step('Where to be called back')
  const eventTypes: ['job.*', 'batch.*'] = ['job.*', 'batch.*']
  const endpoint = { url: await receiver.listen(), event_types: eventTypes }
  sent(`POST /v1/webhook_endpoints    ${JSON.stringify(endpoint)}`)
  const { id, secret } = await acme.webhookEndpoints.create(endpoint)
  claim(secret !== null, 'the secret is shown')
  receiver.secret = secret
  got(`201  ${id}, secret ${secret.slice(0, 10)}… (shown this once)`)
  why('A receiver on this machine now listens at that URL and checks every signature with the secret.')
  return id
}

interface First {
  readonly job: Job<'summarize'>
  readonly request: JobRequest
  readonly key: string
}

export async function handOver(acme: Gateway): Promise<First> {
  step('Handing over work')
  const { text } = readDeclaration('eng')
  const request = { kind: 'summarize' as const, input: { text }, params: { max_words: 60 } }
  const key = crypto.randomUUID()
  sent(`POST /v1/jobs    summarize, ${text.length} characters: the Universal Declaration of Human Rights`)
  note(`Idempotency-Key: ${key}`)
  const started = performance.now()
  const { data, response } = await send(acme, request, key)
  const job = { ...data, kind: request.kind }
  claim(response.headers.get('location') === job.status_url, 'Location is the status URL')
  got(`202  ${job.id}, ${job.status}, after ${Math.round(performance.now() - started)} ms`)
  note(job.status_url)
  why('The answer comes once the job is durably recorded; the model has not been asked yet.')
  return { job, request, key }
}

export async function handOverInVain(acme: Gateway): Promise<Job> {
  step('Handing over work that will fail')
  sent('POST /v1/jobs    summarize, model test/unavailable: a provider that is always down')
  const input = { text: readDeclaration('eng').article(1) }
  const job = await acme.jobs.create({ kind: 'summarize', model: 'test/unavailable', input })
  got(`202  ${job.id}, ${job.status}`)
  why('Its retries take a while and hold up nobody; we come back to it further down.')
  return job
}

export async function sendAgain(acme: Gateway, first: First): Promise<void> {
  step('A retry, because the 202 might have been lost')
  sent('POST /v1/jobs    the same request with the same key')
  const { data, response } = await send(acme, first.request, first.key)
  claim(data.id === first.job.id, 'the replay answers with the first job')
  claim(response.headers.get('idempotency-replayed') === 'true', 'the replay says that it is one')
  got(`202  ${first.job.id} again, Idempotency-Replayed: true`)

  sent('POST /v1/jobs    another request with the same key')
  const other = { ...first.request, params: { max_words: 10 } } as JobRequest
  const { headers, slug, problem } = await refusal(422, send(acme, other, first.key))
  claim(headers.get('content-type') === 'application/problem+json', 'the refusal is a problem document')
  claim(slug === 'idempotency-key-reused', `the key was used for something else; it is ${slug}`)
  const { type, title, detail } = problem
  got(`422  ${title}`)
  note(`${detail} (${type})`)
  why(
    'Work is accepted, run and billed once, however often it is sent; a mixed-up key does not go unnoticed.',
  )
}

export async function readResult(acme: Gateway, job: Job<'summarize'>): Promise<void> {
  step('Status and result')
  sent(`GET  /v1/jobs/${job.id}    until it has ended`)
  const end = await settled(acme, job)
  claim(end.status === 'succeeded', `the job succeeds; it is ${end.status}`)
  got(
    `200  ${end.status} by ${end.model}, ${seconds(end.created_at, end.finished_at)} s after it was accepted`,
  )
  sent(`GET  /v1/jobs/${job.id}/result`)
  const { output, usage } = await resultOf(acme, job)
  const { summary } = output
  claim(summary.split(/\s+/).length <= 60, 'the summary keeps to 60 words')
  got(`200  ${usage.input_tokens} tokens in, ${usage.output_tokens} out, ${usage.cost_usd} USD`)
  quote(summary)
}
