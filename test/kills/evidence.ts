/** What a batch has left behind when all is over, which nobody may have lost or done twice. */
import { expect } from 'vitest'
import { inLedger } from '../../bench/chaos/ledgers.ts'
import type { BatchStatus } from '../../openapi/batch-states.ts'
import type { Batch } from '../../openapi/batches.ts'
import type { ChunkRow } from '../support/batch-rows.ts'
import { endedBatch, resultsOf } from '../support/batches.ts'
import type { Tenant } from '../support/tenant.ts'
import type { MortalStack } from './stack.ts'

const endEvents: Partial<Record<BatchStatus, string>> = {
  completed: 'batch.result_available',
  partially_failed: 'batch.result_available',
  cancelled: 'batch.cancelled',
}

export const chunksOf = ({ workerd }: MortalStack, { id: tenantId }: Tenant, id: string) =>
  inLedger<ChunkRow>(workerd, tenantId, `select * from batch_chunks where batch_id = '${id}' order by chunk`)

/** Nothing is left to be done for it. */
export async function isDone(
  { workerd }: MortalStack,
  { id: tenantId }: Tenant,
  id: string,
): Promise<boolean> {
  const due = `select due_at from batches where id = '${id}'`
  return (await inLedger<{ due_at: number | null }>(workerd, tenantId, due))[0]?.due_at === null
}

/** The chunks of the batch that a provider inside of the Workers took: an object for each. */
export async function takenOf({ workerd }: MortalStack, { id: tenantId }: Tenant, id: string) {
  const content = await workerd.miniflare.getR2Bucket('CONTENT', 'gateway')
  const { objects } = await content.list({ prefix: `t/${tenantId}/`, include: ['customMetadata'] })
  return objects.filter(({ key }) => key.includes(id) && key.includes('/embedded/taken/'))
}

/** The batch once it has ended: every item in one way, told once, and nothing set aside any more. */
export async function endedRight(
  stack: MortalStack,
  tenant: Tenant,
  id: string,
  status: BatchStatus,
): Promise<Batch> {
  const batch = await endedBatch(tenant, id)
  const { total, pending, ...ends } = batch.counts
  expect([batch.status, pending]).toEqual([status, 0])
  expect(Object.values(ends).reduce((sum, count) => sum + count, 0)).toBe(total)
  await expectResults(tenant, batch)
  await expectToldOnce(stack, tenant, batch)
  return batch
}

async function expectResults(tenant: Tenant, { id, counts }: Batch): Promise<void> {
  const lines = await resultsOf(tenant, id)
  expect(lines.map(({ index }) => index)).toEqual(lines.map((_, at) => at))
  expect(new Set(lines.map(({ external_reference }) => external_reference)).size).toBe(counts.total)
  for (const status of ['succeeded', 'failed', 'cancelled', 'expired'] as const)
    expect(lines.filter((line) => line.status === status)).toHaveLength(counts[status])
}

async function expectToldOnce({ workerd }: MortalStack, { id: tenantId }: Tenant, { id, status }: Batch) {
  const events = `select type from events where subject_id = '${id}' order by sequence`
  const told = await inLedger<{ type: string }>(workerd, tenantId, events)
  expect(told.map(({ type }) => type)).toEqual(['batch.accepted', endEvents[status]])
}

interface Books {
  readonly reserved: number
  readonly spent: number
  readonly chunks: number
  readonly tokens: number
  readonly chunk_tokens: number
  readonly items: number
}

const BOOKS = `select
  (select total(reserved_micro_usd) from batch_chunks) + (select total(reserved_micro_usd) from jobs) as reserved,
  (select total(micro_usd) from spend) as spent,
  (select total(cost_micro_usd) from batch_chunks) as chunks,
  (select total(input_tokens) from batch_chunks) as chunk_tokens,
  total(input_tokens) as tokens, total(items) as items from usage_days`

/** What the tenant spent, in micro-USD, which is what its chunks cost, and set aside no more. */
export async function spentOf({ workerd }: MortalStack, { id }: Tenant, items: number): Promise<number> {
  const [books] = await inLedger<Books>(workerd, id, BOOKS)
  expect(books).toMatchObject({ reserved: 0, spent: books?.chunks, tokens: books?.chunk_tokens, items })
  return books?.spent ?? Number.NaN
}

/** Of the chunks that went to a provider inside of the Workers, none twice. */
export async function expectTakenOnce(stack: MortalStack, tenant: Tenant, id: string): Promise<void> {
  const sent = (await chunksOf(stack, tenant, id)).filter(({ path }) => path === 'batch')
  expect(await takenOf(stack, tenant, id)).toHaveLength(sent.length)
}
