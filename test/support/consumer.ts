/** A spec in the place of a consumer: what it sends to a ledger, and tenants whose jobs wait for it. */
import { randomUUID } from 'node:crypto'
import { callLedger, inLedger } from './control.ts'
import { newTenant, operator, summarizeJob, type Tenant } from './tenant.ts'

export interface Claim {
  readonly messageId: string
  readonly lease?: { jobId: string; attempt: number; until: number; providerKey: string }
  readonly notHeld?: string
}

export const message = (tenant: Tenant, jobId: string, attempt: number) => ({
  v: 1,
  tenant_id: tenant.id,
  job_id: jobId,
  kind: 'summarize',
  attempt,
  input_ref: null,
})

export const claim = async (
  tenant: Tenant,
  jobId: string,
  attempt: number,
  messageId: string = randomUUID(),
) => {
  const [answer] = await callLedger<Claim[]>(tenant.id, 'claimJobs', [{ messageId, jobId, attempt }])
  return answer as Claim
}

export const settle = async (tenant: Tenant, jobId: string, attempt: number, summary: string) => {
  const outcome = { kind: 'completed', output: JSON.stringify({ summary }), outputRef: null }
  const usage = { inputTokens: 1, outputTokens: 1 }
  const settlement = { jobId, attempt, outcome, usage, providerRequestId: null }
  const [answer] = await callLedger<{ kind: string }[]>(tenant.id, 'settleJobs', [settlement])
  return answer?.kind
}

/** A tenant whose limit of starts is used up: its job waits, and the spec can play the consumer. */
export async function withWaitingJob(job = summarizeJob()): Promise<{ acme: Tenant; id: string }> {
  const acme = await newTenant({ jobs_per_minute: 1 })
  const first = await acme.submitted()
  await acme.ended(first.id)
  const { id } = await acme.submitted(job)
  return { acme, id }
}

/** Lifts the limit: what waits may start. */
export const letStart = async ({ id }: Tenant) =>
  (await operator()).request('PATCH', `/ops/v1/tenants/${id}`, {
    json: { limits: { jobs_per_minute: 100 }, reason: 'a spec goes on' },
  })

/** The waiting job as a consumer left it that claimed it and died: its lease ends in a moment. */
export async function withDeadConsumer(): Promise<{ acme: Tenant; id: string }> {
  const waiting = await withWaitingJob()
  await inLedger(
    waiting.acme.id,
    "update jobs set status = 'running', attempt = 1, claim_id = 'dead', started_at = ?, last_attempt_at = ?, due_at = ? where id = ?",
    Date.now(),
    Date.now(),
    Date.now() + 500,
    waiting.id,
  )
  return waiting
}

export const eventsOf = async (tenant: Tenant, jobId: string) =>
  (await inLedger<{ type: string }>(tenant.id, 'select type from events where subject_id = ?', jobId)).map(
    ({ type }) => type,
  )
