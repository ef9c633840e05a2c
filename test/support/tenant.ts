/** The domain client that specs speak through: a fresh tenant each, so that no spec sees another's work. */
import { randomUUID } from 'node:crypto'
import { afterAll, inject } from 'vitest'
import { tenantScopes } from '../../openapi/tenant-words.ts'
import type { Gateway, JobRequest, Kind } from '../../sdk/src/index.ts'
import { type Answer, type Body, Client, fetchToken } from './client.ts'
import type { Receiver } from './receiver.ts'
import { newSdk } from './sdk.ts'
import { mintToken } from './tokens.ts'
import { until } from './wait.ts'

let operatorClient: Client | undefined

export async function operator(): Promise<Client> {
  const { clientId, clientSecret } = inject('stack').operator
  operatorClient ??= new Client(await fetchToken(clientId, clientSecret))
  return operatorClient
}

export const TEXT =
  'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience. ' +
  'They should act towards one another in a spirit of brotherhood. Everyone has the right to life and liberty.'

export const summarizeJob = (more: object = {}) => ({ kind: 'summarize', input: { text: TEXT }, ...more })

/** A tenant with test models, under the limits given. */
export async function newTenant(limits: Record<string, unknown> = {}): Promise<Tenant> {
  const id = `t-${randomUUID()}`
  const ops = await operator()
  const plan = { test_models: true, ...limits }
  await expectStatus(201, ops.post('/ops/v1/tenants', { id, limits: plan, reason: 'a spec' }))
  made.push(id)
  return new Tenant(id, new Client(await mintToken(id, 'client_spec', tenantScopes.join(' '))))
}

export async function newClient(tenantId: string, scopes?: string[]): Promise<Client> {
  const ops = await operator()
  const path = `/ops/v1/tenants/${tenantId}/clients`
  const { body } = await expectStatus(
    201,
    ops.post(path, { name: 'spec', reason: 'a spec', ...(scopes && { scopes }) }),
  )
  return new Client(await fetchToken(body.client_id, body.client_secret))
}

export async function expectStatus(status: number, pending: Promise<Answer>): Promise<Answer> {
  const answer = await pending
  if (answer.status !== status)
    throw new Error(`Expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer
}

/** The tenants of this file: what they leave unfinished would take its part of the one runtime until the end of the run. */
const made: string[] = []
/** Of their jobs those that would be tried again and again, and keep the local queue of slow models from those of others. */
const hanging: (() => Promise<Answer>)[] = []
afterAll(async () => {
  await Promise.allSettled(hanging.map((cancel) => cancel()))
  const ops = await operator()
  const order = { force: true, reason: 'the spec is over' }
  await Promise.allSettled(made.map((id) => ops.post(`/ops/v1/tenants/${id}/delete`, order)))
})

/** What specs look at of what the SDK answered; whether it is there is what they check. */
export const bodyOf = async (pending: Promise<object>): Promise<Body> => (await pending) as Body

export class Tenant {
  readonly id: string
  /** For raw requests. */
  readonly client: Client
  /** For what customers do. */
  readonly sdk: Gateway

  constructor(id: string, client: Client) {
    this.id = id
    this.client = client
    this.sdk = newSdk(client.token, client.at === undefined ? {} : { baseUrl: client.at })
  }

  get(path: string, headers: Record<string, string> = {}) {
    return this.client.get(path, headers)
  }

  /** Sends a job, under a fresh key unless one is given; whatever the answer. */
  async submit(job: object = summarizeJob(), key: string = randomUUID()): Promise<Answer> {
    const answer = await this.client.post('/v1/jobs', job, { 'Idempotency-Key': key })
    if (answer.status === 202) this.#note(job, answer.body)
    return answer
  }

  /** An accepted job. */
  async submitted(job: object = summarizeJob()): Promise<Body> {
    const body = await bodyOf(this.sdk.jobs.create(job as JobRequest & { kind: Kind }))
    this.#note(job, body)
    return body
  }

  #note(job: { model?: unknown }, { id }: Body): void {
    if (job.model === 'test/hangs') hanging.push(() => this.cancel(id))
  }

  job(id: string): Promise<Body> {
    return bodyOf(this.sdk.jobs.get(id))
  }

  /** The job once it has ended. */
  ended(id: string, timeoutMs = 60_000): Promise<Body> {
    return bodyOf(this.sdk.jobs.wait(id, { timeoutMs }))
  }

  /** The job once it has this status. */
  reached(id: string, status: string, timeoutMs?: number): Promise<Body> {
    return until(
      `job ${id} is ${status}`,
      async () => {
        const job = await this.job(id)
        return job.status === status && job
      },
      timeoutMs,
    )
  }

  result(id: string): Promise<Body> {
    return bodyOf(this.sdk.jobs.result(id))
  }

  cancel(id: string) {
    return this.client.request('POST', `/v1/jobs/${id}/cancel`)
  }

  /** An endpoint, with its secret, that delivers to the receiver. */
  listens(receiver: Pick<Receiver, 'url'>, eventTypes?: string[], more: object = {}): Promise<Body> {
    const endpoint = { url: receiver.url, ...(eventTypes && { event_types: eventTypes }), ...more }
    return bodyOf(this.sdk.webhookEndpoints.create(endpoint as { url: string }))
  }
}
