import { describe, expect, it } from 'vitest'
import { chunksOf } from './support/batch-rows.ts'
import {
  cancelledBatch,
  embedBatch,
  endedBatch,
  markedItems,
  resultsOf,
  submittedBatch,
} from './support/batches.ts'
import { inLedger } from './support/control.ts'
import { RUN_TIMEOUT_SECONDS } from './support/run-timeout.ts'
import { expectStatus, newTenant, operator, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const TIMEOUT_MS = RUN_TIMEOUT_SECONDS * 1000

/** That something happens before a call is given up: a busy machine may be slower than that; what waits for the call never is quicker. */
const retry = 2

const hanging = (more: object = {}) => embedBatch(3, { model: 'test/hangs', ...more })

const jobsOf = ({ id: tenantId }: Tenant, id: string) =>
  inLedger<{ created_at: number; attempt: number }>(
    tenantId,
    'select created_at, attempt from jobs where batch_id = ?',
    id,
  )

/** Since when the provider is asked. */
const askedAt = (acme: Tenant, id: string) =>
  until('it hangs', async () => {
    const [chunk] = await chunksOf(acme, id)
    return chunk?.state === 'submitting' && chunk.intent_at
  })

describe.concurrent('a batch of which a submission hangs', { retry }, () => {
  it('goes on with its other chunks meanwhile', async () => {
    const acme = await newTenant()
    const [first, ...others] = markedItems('batch-create:hangs-after-work')
    const items = [first, ...others.map((item) => ({ ...item, confidentiality: 'public' }))]
    const { id } = await submittedBatch(acme, { kind: 'summarize', model: 'openai/gpt-4o-mini', items })

    expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed', counts: { succeeded: 3 } })

    const chunks = await chunksOf(acme, id)
    const [slow, quick] = chunks.toSorted((a, b) => a.items - b.items)
    expect([slow?.tries, quick?.tries]).toEqual([1, 1])
    expect((slow?.collected_at ?? 0) - (slow?.intent_at ?? 0)).toBeGreaterThan(TIMEOUT_MS)
    expect((quick?.collected_at ?? 0) - (slow?.intent_at ?? 0)).toBeLessThan(TIMEOUT_MS)
    expect(await resultsOf(acme, id)).toHaveLength(3)
  })

  it('runs singly as soon as an operator says so', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, hanging())
    const asked = await askedAt(acme, id)

    const ops = await operator()
    const reason = 'it hangs'
    await expectStatus(200, ops.post(`/ops/v1/batches/${id}/run_individually`, { reason }))

    const jobs = await until('it has jobs', async () => {
      const found = await jobsOf(acme, id)
      return found.length === 3 && found
    })
    for (const { created_at } of jobs) expect(created_at - asked).toBeLessThan(TIMEOUT_MS)
    await cancelledBatch(acme, id)
  })

  it('is tried item by item from its deadline on', async () => {
    const acme = await newTenant()
    // As long again is left for the jobs: hanging ones of other specs may be before them in the local queue.
    const { id } = await submittedBatch(
      acme,
      hanging({ deadline_seconds: 15, on_deadline: 'run_individually' }),
    )

    const jobs = await until('its items are tried', async () => {
      const found = await jobsOf(acme, id)
      return found.some(({ attempt }) => attempt > 0) && found
    })
    expect(jobs).toHaveLength(3)
    await cancelledBatch(acme, id)
  })
})
