/** What accepts jobs: a gateway, and Workers that only insert and send. */
import type { Caller } from '../support/gateway.ts'
import type { Target } from '../support/load.ts'
import { job } from './job.ts'

const body = JSON.stringify(job)
const typed = { 'Content-Type': 'application/json' }

export const bareWorker = (url: URL): Target => ({
  url,
  shot: () => ({ method: 'POST', path: '/v1/jobs', headers: typed, body }),
  expect: 202,
})

/** A fresh key for each request, as a customer's own requests have. */
export const gateway = ({ url, authorization }: Pick<Caller, 'url' | 'authorization'>): Target => ({
  url,
  shot: () => ({
    method: 'POST',
    path: '/v1/jobs',
    headers: { ...typed, Authorization: authorization, 'Idempotency-Key': crypto.randomUUID() },
    body,
  }),
  expect: 202,
})

const MOST = 1_000_000

/**
 * One job that hangs takes the tenant's only place, so nothing that is accepted now is released: running jobs would take workerd's
 * one thread from what is measured. The ledger still looks after each accept what it could release, as ever.
 */
export const acceptingLimits = {
  requests_per_minute: MOST,
  jobs_per_minute: MOST,
  max_backlog: MOST,
  max_running: 1,
  test_models: true,
}

/** Submits the job that hangs; afterwards `requireNoneRan` says whether it held its place. */
export const takeThePlace = (tenant: Caller) => tenant.post('/v1/jobs', { ...job, model: 'test/hangs' })

export async function requireNoneRan(tenant: Caller): Promise<void> {
  const { data } = await tenant.get<{ data: unknown[] }>('/v1/jobs?status=succeeded')
  if (data.length > 0) throw new Error('Jobs ran while accepts were measured.')
}
