/** Batches that are held up before anything of them is sent, and their chunks as the ledger has them. */
import { cancelledBatch, embedBatch, submittedBatch } from './batches.ts'
import { inLedger, send } from './control.ts'
import { newTenant, type Tenant } from './tenant.ts'
import { until } from './wait.ts'

export interface ChunkRow {
  readonly state: string
  readonly tries: number
  readonly submitted_at: number
  readonly collected_at: number
}

export const chunksOf = ({ id: tenantId }: Tenant, id: string) =>
  inLedger<ChunkRow>(tenantId, 'select * from batch_chunks where batch_id = ? order by chunk', id)

export const message = (tenant: Tenant, id: string) => ({ v: 1, tenant_id: tenant.id, batch_id: id })
/** Somebody finds that the batch's Workflow is to look again. */
export const wake = (tenant: Tenant, id: string) => send('batches', message(tenant, id))

/** A batch that is planned and waits: another one of its tenant is at the provider and does not come back. */
export async function waitingBatch(body: object = embedBatch()) {
  const acme = await newTenant({ max_batch_chunks: 1 })
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
