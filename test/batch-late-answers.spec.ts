import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { booksOf, chunksOf } from './support/batch-rows.ts'
import {
  actOn,
  batchOf,
  cancelledBatch,
  endedBatch,
  markedItems,
  resultsOf,
  submittedBatch,
} from './support/batches.ts'
import { contentOf, inLedger, instanceStatus, logs } from './support/control.ts'
import { batchesAtOpenAi, callsAtOpenAi } from './support/openai-at.ts'
import { expectStatus, newTenant, operator, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

async function started(wrong: string) {
  const acme = await newTenant()
  const items = markedItems(wrong)
  const { id } = await submittedBatch(acme, { kind: 'summarize', model: 'openai/gpt-4o-mini', items })
  return { acme, id }
}

const isTold = async (event: string, id: string) =>
  (await logs()).some((line) => line.includes(`"${event}"`) && line.includes(id))

const costOfJobs = async ({ id }: Tenant) =>
  (await inLedger<{ sum: number }>(id, 'select total(cost_micro_usd) as sum from jobs'))[0]?.sum ?? 0

describe.concurrent('a chunk that is given up', () => {
  it.each(['slow', 'hangs-after-work'])(
    'while it is being submitted (%s) is called off, and costs once what the receipt says',
    async (fault) => {
      const { acme, id } = await started(`batch-create:${fault}`)
      await until('the provider has it', async () => (await batchesAtOpenAi(id)).length > 0)

      const receipt = await cancelledBatch(acme, id)

      expect(receipt).toMatchObject({
        batch: { status: 'cancelled', counts: { cancelled: 3, pending: 0 } },
        stopped: 3,
        already_finished: 0,
      })
      await until('it is called off', async () => (await batchesAtOpenAi(id))[0]?.status === 'cancelled')
      await until('nothing is left to do', async () => (await instanceStatus(id)) === 'complete')
      const [chunk] = await chunksOf(acme, id)
      const cost = chunk?.estimate_micro_usd ?? 0
      expect(cost).toBeGreaterThan(0)
      expect(receipt.charged_usd).toBe(cost / 1_000_000)
      expect((await batchOf(acme, id)).usage).toMatchObject({ cost_usd: receipt.charged_usd })
      expect(await booksOf(acme)).toMatchObject({ reserved: 0, spent: cost, cost, items: 3, succeeded: 0 })
      expect(await batchesAtOpenAi(id)).toHaveLength(1)
      expect((await resultsOf(acme, id)).map(({ status }) => status)).toEqual(Array(3).fill('cancelled'))
    },
  )

  it('by several at once has one receipt', async () => {
    const { acme, id } = await started('batch-create:slow')
    await until('it is on its way', async () => (await chunksOf(acme, id))[0]?.state === 'submitting')

    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => actOn(acme, id, 'cancel', undefined, randomUUID())),
    )

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    expect(await booksOf(acme)).toMatchObject({ items: 3, reserved: 0 })
  })

  it('while its answer is on its way runs singly, and the answer only costs', async () => {
    const { acme, id } = await started('batch-content:slow')
    await until('the answer is on its way', async () => {
      const [batch] = await batchesAtOpenAi(id)
      return batch?.output_file_id && (await callsAtOpenAi(`/v1/files/${batch.output_file_id}/content`)) > 0
    })

    const ops = await operator()
    const decision = ops.post(`/ops/v1/batches/${id}/run_individually`, { reason: 'a spec does not wait' })
    await expectStatus(200, decision)

    expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed', counts: { succeeded: 3 } })
    await until('the answer has come', () =>
      isTold('batch.chunk_answered', `${id}","instance":1,"chunk":0,"epoch":0`),
    )
    const [chunk] = await chunksOf(acme, id)
    expect(chunk).toMatchObject({ path: 'jobs', epoch: 1, tries: 1, state: 'collected' })
    const cost = (chunk?.estimate_micro_usd ?? 0) + (await costOfJobs(acme))
    expect(chunk?.cost_micro_usd).toBe(cost)
    expect(await booksOf(acme)).toMatchObject({
      reserved: 0,
      spent: cost,
      cost,
      items: 3,
      succeeded: 3,
      jobs: 0,
    })
    expect(await resultsOf(acme, id)).toHaveLength(3)
    await until('what came late is gone', async () => {
      const kept = (await contentOf(acme.id)).filter((key) => key.includes(`/batch/${id}/0/`))
      return kept.length === 1 && kept[0]?.endsWith('/1-1')
    })
  })
})
