import { describe, expect, it } from 'vitest'
import { allWaysOrder } from './support/all-ways.ts'
import { chunksOf, wake } from './support/batch-rows.ts'
import { embedBatch, endedBatch, resultsOf, submittedBatch } from './support/batches.ts'
import { letStart } from './support/consumer.ts'
import { inLedger, instanceStatus, stopInstance } from './support/control.ts'
import { newTenant, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'
import { waitingBatch } from './support/waiting-batches.ts'

const references = (count: number) => Array.from({ length: count }, (_, at) => `item-${at}`)

const allWays = async (acme: Tenant) => (await submittedBatch(acme, await allWaysOrder(acme))).id

const instancesOf = async ({ id: tenantId }: Tenant, id: string) =>
  (await inLedger<{ instance: number }>(tenantId, 'select instance from batches where id = ?', id))[0]
    ?.instance

const eventsOf = async ({ id: tenantId }: Tenant, id: string) =>
  (
    await inLedger<{ type: string }>(
      tenantId,
      'select type from events where subject_id = ? order by sequence',
      id,
    )
  ).map(({ type }) => type)

/** Nothing is lost, nothing is double. */
async function expectAllRight(acme: Tenant, id: string): Promise<void> {
  const batch = await endedBatch(acme, id)
  expect(batch).toMatchObject({
    status: 'completed',
    counts: { total: 8, succeeded: 8, pending: 0, failed: 0, cancelled: 0, expired: 0 },
  })
  const results = await resultsOf(acme, id)
  expect(results.map(({ external_reference }) => external_reference)).toEqual(references(8))
  expect(results.every(({ status }) => status === 'succeeded')).toBe(true)
  const told = results.reduce((sum, { usage }) => sum + (usage?.input_tokens ?? 0), 0)
  expect(batch.usage?.input_tokens).toBe(told)
  expect(await eventsOf(acme, id)).toEqual(['batch.accepted', 'batch.result_available'])
}

describe.concurrent('the Workflow of a batch', () => {
  it('takes every way of a batch', async () => {
    const acme = await newTenant()

    const id = await allWays(acme)

    await expectAllRight(acme, id)
    expect(await instancesOf(acme, id)).toBe(1)
    await until('it has ended', async () => (await instanceStatus(id)) === 'complete')
  })

  it('is one however many messages there are', async () => {
    const acme = await newTenant()
    const id = await allWays(acme)

    await Promise.all(Array.from({ length: 20 }, () => wake(acme, id)))

    await expectAllRight(acme, id)
    expect(await instancesOf(acme, id)).toBe(1)
    expect(await instanceStatus(`${id}-2`)).toBeNull()
  })
})

/** It cannot end before `letStart`: the only start that its tenant has in a minute is used up, so a job of it waits. */
async function heldBatch() {
  const acme = await newTenant({ jobs_per_minute: 1 })
  await acme.ended((await acme.submitted()).id)
  return { acme, id: await allWays(acme) }
}

describe.concurrent('a batch whose Workflow dies', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('after %i steps ends right', async (steps) => {
    const { acme, id } = await heldBatch()

    await stopInstance(id, 'terminate', steps)
    await letStart(acme)

    await expectAllRight(acme, id)
    expect(await instancesOf(acme, id)).toBe(2)
  })

  it.each([9, 10, 11])('after %i steps, or has ended before, ends right', async (steps) => {
    const acme = await newTenant()
    const id = await allWays(acme)

    await stopInstance(id, 'terminate', steps)

    await expectAllRight(acme, id)
  })

  it('again and again ends right', async () => {
    const { acme, id, free } = await waitingBatch(embedBatch(8))

    for (const instance of [id, `${id}-2`, `${id}-3`]) {
      await until(`${instance} is there`, async () => (await instanceStatus(instance)) === 'running')
      await stopInstance(instance, 'terminate', 1)
      await wake(acme, id)
    }
    await free()

    await expectAllRight(acme, id)
    expect(await instancesOf(acme, id)).toBe(4)
  })

  it.each(['pause', 'lose'] as const)('by a %s goes on', async (how) => {
    const acme = await newTenant()
    const id = await allWays(acme)

    await stopInstance(id, how, 4)

    await expectAllRight(acme, id)
  })

  it('in all but name, for it does not answer when it is woken, gets another', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(1, { model: 'test/hangs' }))
    await until('it hangs', async () => (await chunksOf(acme, id))[0]?.state === 'submitting')

    const silent = 'update batches set due_at = 1 where id = ? and instance = 1'
    await inLedger(acme.id, silent, id)
    await wake(acme, id)

    await until('another one acts', async () => {
      await inLedger(acme.id, silent, id)
      return (await instancesOf(acme, id)) === 2
    })
    await until('it has looked', async () => (await chunksOf(acme, id))[0]?.state === 'unknown')
    expect(await instanceStatus(id)).toBe('terminated')
  })
})
