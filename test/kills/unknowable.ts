/** Batches at providers that cannot tell whether a chunk has arrived. */
import { expect } from 'vitest'
import { actOn, batchOf, markedItems, submitBatch } from '../support/batches.ts'
import { expectStatus, type Tenant } from '../support/tenant.ts'
import { until } from '../support/wait.ts'
import { takenBatches } from '../support/workers-ai-batches.ts'
import { chunksOf, endedRight, spentOf } from './evidence.ts'
import type { MortalStack } from './stack.ts'

/** Says in its items whose they are. */
export const aiOrder = ({ id }: Tenant) => ({
  kind: 'summarize',
  model: 'workers-ai/llama-3.3-70b-instruct-fp8-fast',
  items: markedItems(id),
})

/** Its provider never answers. */
export async function hanging(stack: MortalStack, tenant: Tenant): Promise<string> {
  const order = { kind: 'summarize', model: 'test/hangs', items: markedItems('') }
  const { id } = (await expectStatus(202, submitBatch(tenant, order))).body
  await until('it is being sent', async () => (await chunksOf(stack, tenant, id))[0]?.state === 'submitting')
  return id
}

/** What Workers AI took of the tenant's. */
export const aiBatchesOf = ({ id }: Tenant) =>
  takenBatches().filter(({ requests }) => JSON.stringify(requests).includes(id))

/** Where nobody knows, it is left alone until somebody decides. */
export async function endsUnlessUnknown(
  stack: MortalStack,
  tenant: Tenant,
  id: string,
  isUnknown: boolean,
): Promise<void> {
  if (isUnknown) await isLeftAlone(stack, tenant, id)
  await endedRight(stack, tenant, id, isUnknown ? 'cancelled' : 'completed')
  const [chunk] = await chunksOf(stack, tenant, id)
  expect(chunk?.tries).toBe(1)
  expect(await spentOf(stack, tenant, 3)).toBe(chunk?.cost_micro_usd)
  if (isUnknown) expect(chunk?.cost_micro_usd).toBe(chunk?.estimate_micro_usd)
}

async function isLeftAlone(stack: MortalStack, tenant: Tenant, id: string): Promise<void> {
  await until('nobody knows', async () => (await chunksOf(stack, tenant, id))[0]?.state === 'unknown')
  expect(await batchOf(tenant, id)).toMatchObject({ status: 'processing', counts: { pending: 3 } })
  await expectStatus(200, actOn(tenant, id, 'cancel'))
}
