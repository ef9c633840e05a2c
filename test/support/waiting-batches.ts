/** Batches that are held up before anything of them is sent. */
import { chunksOf } from './batch-rows.ts'
import { cancelledBatch, embedBatch, submittedBatch } from './batches.ts'
import { inLedger } from './control.ts'
import { newTenant, type Tenant } from './tenant.ts'
import { until } from './wait.ts'

/** A batch that is planned and waits: another one of its tenant is at the provider and does not come back. */
export async function waitingBatch(body: object = embedBatch(), limits: object = {}) {
  const acme = await newTenant({ max_batch_chunks: 1, ...limits })
  const stuck = await submittedBatch(acme, embedBatch(1, { model: 'test/batch-stuck' }))
  await until('it is out', async () => (await chunksOf(acme, stuck.id))[0]?.state === 'submitted')
  const { id } = await submittedBatch(acme, body)
  await until('its Workflow has looked', async () => (await progressOf(acme, id)) !== null)
  return { acme, id, free: () => cancelledBatch(acme, stuck.id) }
}

const progressOf = async ({ id: tenantId }: Tenant, id: string) =>
  (
    await inLedger<{ at: number | null }>(tenantId, 'select progress_at as at from batches where id = ?', id)
  )[0]?.at ?? null
