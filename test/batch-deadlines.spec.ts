import { describe, expect, it } from 'vitest'
import { chunksOf } from './support/batch-rows.ts'
import { embedBatch, endedBatch, reportOf, resultsOf, submittedBatch } from './support/batches.ts'
import { inLedger, stopInstance } from './support/control.ts'
import { newTenant } from './support/tenant.ts'

const DEADLINE_SECONDS = 5
/** A busy machine may not get done in time what runs item by item. */
const retry = 1

async function stuckBatch(more: object, limits: object = {}) {
  const acme = await newTenant({ ...limits })
  const body = embedBatch(3, { model: 'test/batch-stuck', deadline_seconds: DEADLINE_SECONDS, ...more })
  const { id } = await submittedBatch(acme, body)
  return { acme, id }
}

const between = (from: string | null, to: string | null) => Date.parse(to ?? '') - Date.parse(from ?? '')

describe.concurrent('a batch whose provider does not answer before its deadline', { retry }, () => {
  it('runs item by item where it was asked to', async () => {
    const { acme, id } = await stuckBatch({ on_deadline: 'run_individually' })

    const batch = await endedBatch(acme, id)

    expect(batch).toMatchObject({ status: 'completed', counts: { total: 3, succeeded: 3 } })
    expect(between(batch.deadline_at, batch.finished_at)).toBeGreaterThanOrEqual(0)
    expect(await chunksOf(acme, id)).toMatchObject([{ path: 'jobs', epoch: 1, tries: 1, state: 'collected' }])
    expect((await resultsOf(acme, id)).map(({ status }) => status)).toEqual(Array(3).fill('succeeded'))
    expect((await reportOf(acme, id)).checks).toContainEqual(
      expect.objectContaining({ name: 'in_time', passed: false }),
    )
    const told = await inLedger<{ type: string }>(acme.id, 'select type from events order by sequence')
    expect(told.map(({ type }) => type)).toEqual(['batch.accepted', 'batch.result_available'])
  })

  it('expires at twice the deadline with what could not run until then', async () => {
    const { acme, id } = await stuckBatch({ on_deadline: 'run_individually' }, { jobs_per_minute: 1 })

    const batch = await endedBatch(acme, id)

    expect(batch).toMatchObject({ status: 'expired', counts: { succeeded: 1, expired: 2, pending: 0 } })
    expect(between(batch.created_at, batch.finished_at)).toBeGreaterThanOrEqual(2000 * DEADLINE_SECONDS)
    // Which of them runs first is not promised.
    const classes = (await resultsOf(acme, id)).map(({ error }) => error?.class ?? 'none')
    expect(classes.toSorted()).toEqual(['deadline_exceeded', 'deadline_exceeded', 'none'])
    expect((await acme.get(`/v1/jobs?batch_id=${id}`)).body.data.map(({ terminal }) => terminal)).toEqual(
      Array(3).fill(true),
    )
  })

  it('expires then whatever has become of its Workflow', async () => {
    const { acme, id } = await stuckBatch({ on_deadline: 'expire' })

    await stopInstance(id, 'terminate', 2)
    const batch = await endedBatch(acme, id)

    expect(batch).toMatchObject({ status: 'expired', counts: { expired: 3, pending: 0 } })
    expect(between(batch.deadline_at, batch.finished_at)).toBeLessThan(1000 * DEADLINE_SECONDS)
    expect((await reportOf(acme, id)).error_classes).toEqual({ deadline_exceeded: 3 })
  })
})
