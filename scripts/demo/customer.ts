/** What a customer does all day, with the SDK: submit, wait, fetch the result. */
import { setTimeout } from 'node:timers/promises'
import {
  Gateway,
  type Job,
  type JobRequest,
  type JobResult,
  type Kind,
  operations,
} from '../../sdk/src/index.ts'
import type { ClientCredentials } from '../support/kept-secrets.ts'
import { claim } from './claim.ts'

/** Whoever watches should not have to wait for the next look at a job. */
const LONGEST_PAUSE_MS = 200

export const newCustomer = (baseUrl: string, { client_id, client_secret }: ClientCredentials): Gateway =>
  new Gateway({
    baseUrl,
    clientId: client_id,
    clientSecret: client_secret,
    sleep: (ms, signal) =>
      setTimeout(Math.min(ms, LONGEST_PAUSE_MS), undefined, { ...(signal && { signal }) }),
  })

/** With the headers of the answer. */
export const send = (acme: Gateway, body: JobRequest, key: string) =>
  operations.createJob({ client: acme.client, body, headers: { 'Idempotency-Key': key } })

/** The job once it has ended. */
export const settled = <K extends Kind>(acme: Gateway, job: Job<K>): Promise<Job<K>> =>
  acme.jobs.wait(job, { timeoutMs: 60_000 })

export async function resultOf<K extends Kind>(acme: Gateway, job: Job<K>): Promise<JobResult<K>> {
  const end = await settled(acme, job)
  claim(end.status === 'succeeded', `${job.id} succeeds; it is ${end.status}`)
  return acme.jobs.result(end)
}

export const seconds = (from: string | null, to: string | null) =>
  ((Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000).toFixed(1)
