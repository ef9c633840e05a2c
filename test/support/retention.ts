/** Jobs with content, and what is left of it. */
import { callLedger, contentOf, inLedger } from './control.ts'
import { TEXT, type Tenant } from './tenant.ts'
import { until } from './wait.ts'

/** Input and output of more than a row holds. */
export const largeJob = (more: object = {}) => ({
  kind: 'embed',
  input: { texts: Array.from({ length: 200 }, (_, at) => `${TEXT} Number ${at}.`) },
  params: { dimensions: 256 },
  ...more,
})

export const succeeded = async (acme: Tenant, job?: object) => {
  const { id } = await acme.submitted(job)
  await acme.ended(id)
  return id
}

export const expireIn = async (acme: Tenant, id: string, ms: number) => {
  await inLedger(acme.id, 'update jobs set content_expires_at = ? where id = ?', Date.now() + ms, id)
  await callLedger(acme.id, 'poke')
}

export const contentGone = (acme: Tenant, id: string) =>
  until(`the content of ${id} is deleted`, async () => {
    const job = await acme.job(id)
    return job.content_deleted_at !== null && job
  })

export const objects = (acme: Tenant, expected: string[]) =>
  until(`the objects are ${expected.join()}`, async () => {
    const found = await contentOf(acme.id)
    return JSON.stringify(found) === JSON.stringify([...expected].sort())
  })

export const remove = (acme: Tenant, id: string) => acme.client.delete(`/v1/jobs/${id}`)

export const resultOf = async (acme: Tenant, id: string) => {
  const { status, body } = await acme.get(`/v1/jobs/${id}/result`)
  return [status, body.type]
}
export const gone = [410, 'https://api.gateway.test/problems/content-deleted']

export const contentRow = async (acme: Tenant, id: string) => {
  const columns = 'input, input_ref, output, output_ref, params'
  return (await inLedger(acme.id, `select ${columns} from jobs where id = ?`, id))[0]
}
export const nothing = { input: null, input_ref: null, output: null, output_ref: null, params: null }
