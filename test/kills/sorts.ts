/** Batches of every sort: how each is brought on its way, at which of its calls the runtime is to end, and how the batch ends. */
import { expect } from 'vitest'
import { allWaysOrder } from '../support/all-ways.ts'
import { actOn, endedBatch, markedItems, rerunOf, submitBatch } from '../support/batches.ts'
import { expectStatus, type Tenant } from '../support/tenant.ts'
import { until } from '../support/wait.ts'
import { chunksOf, endedRight, expectTakenOnce, spentOf, takenOf } from './evidence.ts'
import type { MortalStack } from './stack.ts'
import { aiBatchesOf, aiOrder, endsUnlessUnknown } from './unknowable.ts'

export interface Sort {
  /** Of its calls, those that are of interest. */
  readonly stops: RegExp
  /** Answers the batch's ID, when nothing more is to be done for it. */
  begin(stack: MortalStack, tenant: Tenant): Promise<string>
  /** After `at`, the last call before the runtime ended; of all `calls` of a run that nothing disturbed. */
  ends(stack: MortalStack, tenant: Tenant, id: string, at: string, calls: readonly string[]): Promise<void>
}

export const submitted = async (tenant: Tenant, body: object) =>
  (await expectStatus(202, submitBatch(tenant, body))).body.id

const allWays: Sort = {
  stops: /^(look|plan|submit|poll|open|gather|hand over): /,
  begin: async (_, tenant) => submitted(tenant, await allWaysOrder(tenant)),
  async ends(stack, tenant, id) {
    const { counts } = await endedRight(stack, tenant, id, 'completed')
    expect(counts.succeeded).toBe(8)
    await spentOf(stack, tenant, 8)
    await expectTakenOnce(stack, tenant, id)
  },
}

const summaries = (model: string) => ({ kind: 'summarize', model, items: markedItems('') })

/** What failed of one batch, again: of inline items, so that their lines are copied first. */
const rerun: Sort = {
  stops: /^copy: /,
  async begin(_, tenant) {
    const items = [...markedItems(''), { ...markedItems('')[0], external_reference: 'item-3' }]
    const parent = await submitted(tenant, { ...summaries('test/batch-partial'), items })
    await endedBatch(tenant, parent)
    return (await rerunOf(tenant, parent, { mode: 'incomplete_only' })).id
  },
  async ends(stack, tenant, id) {
    const { counts } = await endedRight(stack, tenant, id, 'completed')
    expect(counts.total).toBe(1)
    await spentOf(stack, tenant, 5)
    await expectTakenOnce(stack, tenant, id)
  },
}

const calledOff: Sort = {
  stops: /^call off: /,
  async begin(stack, tenant) {
    const id = await submitted(tenant, summaries('test/batch-stuck'))
    await until('it is out', async () => (await chunksOf(stack, tenant, id))[0]?.state === 'submitted')
    await expectStatus(200, actOn(tenant, id, 'cancel'))
    return id
  },
  async ends(stack, tenant, id) {
    await endedRight(stack, tenant, id, 'cancelled')
    await spentOf(stack, tenant, 3)
    await until('the provider knows', async () =>
      (await takenOf(stack, tenant, id)).every(({ customMetadata }) => customMetadata?.cancelled),
    )
    await expectTakenOnce(stack, tenant, id)
  },
}

const atWorkersAi: Sort = {
  stops: /^(submit|poll): /,
  begin: (_, tenant) => submitted(tenant, aiOrder(tenant)),
  async ends(stack, tenant, id, at, calls) {
    const place = (call: string) => calls.indexOf(`submit: ${call}`)
    const begun = calls.indexOf(at) >= place('beginSubmission') && calls.indexOf(at) < place('endSubmission')
    await endsUnlessUnknown(stack, tenant, id, begun)
    const sent = !begun || calls.indexOf(at) >= place('run')
    expect(aiBatchesOf(tenant)).toHaveLength(sent ? 1 : 0)
  },
}

/** It waits for its provider. */
const atRest: Sort = {
  stops: /^wait: /,
  begin: (_, tenant) => submitted(tenant, summaries('test/slow')),
  async ends(stack, tenant, id) {
    await endedRight(stack, tenant, id, 'completed')
    await spentOf(stack, tenant, 3)
    await expectTakenOnce(stack, tenant, id)
  },
}

export const sorts: readonly Sort[] = [allWays, rerun, calledOff, atWorkersAi, atRest]
