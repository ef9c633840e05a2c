/** What the ledger has on record of batches, beyond what their customers see. */
import { inLedger, send } from './control.ts'
import type { Tenant } from './tenant.ts'

export interface ChunkRow {
  readonly state: string
  readonly path: 'batch' | 'jobs'
  readonly epoch: number
  readonly tries: number
  readonly items: number
  readonly provider_request_id: string | null
  readonly estimate_micro_usd: number
  readonly cost_micro_usd: number
  readonly intent_at: number
  readonly submitted_at: number
  readonly collected_at: number
  readonly stalled_at: number
}

export const chunksOf = ({ id: tenantId }: Tenant, id: string) =>
  inLedger<ChunkRow>(tenantId, 'select * from batch_chunks where batch_id = ? order by chunk', id)

export const message = (tenant: Tenant, id: string) => ({ v: 1, tenant_id: tenant.id, batch_id: id })
/** Somebody finds that the batch's Workflow is to look again. */
export const wake = (tenant: Tenant, id: string) => send('batches', message(tenant, id))

/** Of these chunks, how many were out together at the most. */
export const mostAtOnce = (chunks: readonly ChunkRow[]) =>
  Math.max(
    ...chunks.map(
      ({ submitted_at: at }) =>
        chunks.filter(({ submitted_at, collected_at }) => submitted_at <= at && at < collected_at).length,
    ),
  )

interface Books {
  /** Set aside for what is still to come. */
  readonly reserved: number
  readonly spent: number
  readonly items: number
  readonly jobs: number
  readonly succeeded: number
  readonly failed: number
  readonly cost: number
}

const SUMS = `select
  (select total(reserved_micro_usd) from batch_chunks) + (select total(reserved_micro_usd) from jobs) as reserved,
  (select total(micro_usd) from spend) as spent,
  total(items) as items, total(jobs) as jobs, total(succeeded) as succeeded, total(failed) as failed,
  total(cost_micro_usd) as cost from usage_days`

/** What the tenant's books say: all of its jobs and batches together, in micro-USD. */
export async function booksOf({ id }: Tenant): Promise<Books> {
  const [books] = await inLedger<Books>(id, SUMS)
  if (!books) throw new Error('There are no books.')
  return books
}
