/** Dead letters as specs speak of them. */
import type { Answer, Body } from './client.ts'
import { inDirectory, inLedger } from './control.ts'
import { newTenant, operator, summarizeJob, type Tenant } from './tenant.ts'
import { until } from './wait.ts'

export const path = (letterId: string, verb = '') => `/ops/v1/dead_letters/${letterId}${verb}`

export const letter = async (id: string): Promise<Body> => (await (await operator()).get(path(id))).body

/** The dead letter of a job, once the directory has it. */
export const deadLetterOf = (jobId: string): Promise<Body> =>
  until(`the dead letter of ${jobId}`, async () => {
    const [row] = await inDirectory<{ id: string }>('select id from dead_letters where job_id = ?', jobId)
    return row && letter(row.id)
  })

/** A job of this tenant that failed for good, and its dead letter. */
export async function failedIn(acme: Tenant, more: object = {}): Promise<{ jobId: string; dead: Body }> {
  const { id } = await acme.submitted(summarizeJob({ model: 'test/permission-denied', ...more }))
  await acme.ended(id)
  return { jobId: id, dead: await deadLetterOf(id) }
}

export async function withDeadLetter(more: object = {}, limits: Record<string, unknown> = {}) {
  const acme = await newTenant(limits)
  return { acme, ...(await failedIn(acme, more)) }
}

const REASON = 'the credential has been renewed'

export const redrive = async (letterId: string, headers: Record<string, string> = {}): Promise<Answer> =>
  (await operator()).post(path(letterId, '/redrive'), { reason: REASON }, headers)

export const redriveMany = async (filter: object, headers: Record<string, string> = {}): Promise<Answer> =>
  (await operator()).post('/ops/v1/dead_letters/redrive', { reason: REASON, ...filter }, headers)

export const resolve = async (letterId: string, headers: Record<string, string> = {}): Promise<Answer> =>
  (await operator()).post(path(letterId, '/resolve'), { reason: 'the customer has gone' }, headers)

/** Changes the failed job's row, as time or a new version of this service would. */
export const changed = (acme: Tenant, jobId: string, set: string, ...values: (string | number)[]) =>
  inLedger(acme.id, `update jobs set ${set} where id = ?`, ...values, jobId)

/** The model works again: the job's row is given one that does. */
export const mended = (acme: Tenant, jobId: string) => changed(acme, jobId, "model = 'embedded/extract-1'")

export const redrivesOf = async (acme: Tenant, jobId: string) =>
  (await inLedger<{ id: string }>(acme.id, 'select id from jobs where redrive_of = ?', jobId)).map(
    ({ id }) => id,
  )

export const audited = (target: string) =>
  inDirectory<{ action: string; operator: string; reason: string }>(
    'select action, operator, reason from audit_log where target = ?',
    target,
  )
