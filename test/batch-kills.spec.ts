import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { chunksOf, wake } from './support/batch-rows.ts'
import { batchOf, endedBatch, markedItems, resultsOf, submittedBatch } from './support/batches.ts'
import { batchesAtWorkersAi, evict, instanceStatus, logs, stopInstance } from './support/control.ts'
import { batchesAtOpenAi } from './support/openai-at.ts'
import { newTenant, operator, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

async function started(model: string, wrong: string) {
  const acme = await newTenant()
  const { id } = await submittedBatch(acme, { kind: 'summarize', model, items: markedItems(wrong) })
  return { acme, id }
}

/** The Workflow ends in the midst of what it does, and the ledger forgets what it held in memory. */
async function kill(acme: Tenant, id: string): Promise<void> {
  await Promise.all([stopInstance(id, 'terminate', 0), evict(acme.id)])
  expect(await chunksOf(acme, id)).toMatchObject([{ state: 'submitting', tries: 1 }])
  await wake(acme, id)
}

/** What the log says of the chunk's submissions. */
const submissionsOf = async (id: string) =>
  (await logs())
    .filter((line) => line.includes('"batch.chunk_submitted"') && line.includes(id))
    .map((line) => JSON.parse(line) as { asked: string; outcome: string; instance: number })

describe.concurrent('a Workflow that is killed after the provider took a chunk, and before that was on record', () => {
  it('is followed by one that finds the chunk, where the provider can tell', async () => {
    const { acme, id } = await started('openai/gpt-4o-mini', 'batch-create:hangs-after-work')
    await until('the provider has it', async () => (await batchesAtOpenAi(id)).length > 0)

    await kill(acme, id)

    expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed', counts: { succeeded: 3 } })
    expect(await batchesAtOpenAi(id)).toHaveLength(1)
    expect(await chunksOf(acme, id)).toMatchObject([{ state: 'collected', tries: 1 }])
    expect(await resultsOf(acme, id)).toHaveLength(3)
    expect(await submissionsOf(id)).toContainEqual(
      expect.objectContaining({ asked: 'reconcile', outcome: 'accepted', instance: 2 }),
    )
    expect(await instanceStatus(id)).toBe('terminated')
  })

  it('is followed by one that never sends it again by itself, where the provider cannot tell', async () => {
    const mark = randomUUID()
    const { acme, id } = await started(
      'workers-ai/llama-3.3-70b-instruct-fp8-fast',
      `batch-submit:hangs ${mark}`,
    )
    const taken = async () =>
      (await batchesAtWorkersAi()).filter((one) => JSON.stringify(one).includes(mark)).length
    await until('the provider has it', async () => (await taken()) > 0)

    await kill(acme, id)
    await until('nobody knows', async () => (await chunksOf(acme, id))[0]?.state === 'unknown')

    const [chunk] = await chunksOf(acme, id)
    expect(chunk).toMatchObject({ tries: 1, cost_micro_usd: chunk?.estimate_micro_usd })
    expect(await batchOf(acme, id)).toMatchObject({ status_reason: 'stalled', counts: { pending: 3 } })
    const ops = await operator()
    await ops.post(`/ops/v1/batches/${id}/run_individually`, { reason: 'nobody knows what became of it' })
    expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed', counts: { succeeded: 3 } })
    expect(await taken()).toBe(1)
  })
})
