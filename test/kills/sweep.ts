/** Batches that are on their way, one a little further than the other, each time that the runtime is killed. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { allWaysOrder } from '../support/all-ways.ts'
import { embedBatch, submitBatch } from '../support/batches.ts'
import { expectStatus, type Tenant } from '../support/tenant.ts'
import { pause, until } from '../support/wait.ts'
import { expectMadeOnce, MICRO_USD, openAiOrder } from './at-openai.ts'
import { endedRight, expectTakenOnce, spentOf } from './evidence.ts'
import type { MortalStack } from './stack.ts'

const LATER_BY_MS = 120

interface Begun {
  readonly tenant: Tenant
  /** From a file, inline, at OpenAI. */
  readonly ids: readonly [string, string, string]
}

/** As its customer sends them, who does not give in before each has its answer. */
async function begin(tenant: Tenant): Promise<Begun> {
  const fromFile = send(tenant, await persistently(() => allWaysOrder(tenant)))
  const ids = await Promise.all([fromFile, send(tenant, embedBatch()), send(tenant, openAiOrder())])
  return { tenant, ids }
}

async function send(tenant: Tenant, order: object): Promise<string> {
  const key = randomUUID()
  const { body } = await persistently(() =>
    expectStatus(202, submitBatch(tenant, { ...order, on_duplicate: 'run' }, key)),
  )
  return body.id
}

/** Again, as long as the connection breaks. */
const persistently = <T>(act: () => Promise<T>): Promise<T> =>
  until('it is answered', () =>
    act().catch((error) => {
      if (error instanceof TypeError) return null
      throw error
    }),
  )

/** A kill for each, always a little later in the lives of three new batches. */
export async function beginAmidKills(stack: MortalStack, kills: number): Promise<Begun[]> {
  const begun: Begun[] = []
  for (let nth = 0; nth < kills; nth++) {
    const beginning = begin(await stack.newTenant())
    await pause(nth * LATER_BY_MS)
    await stack.workerd.kill()
    begun.push(await beginning)
  }
  return begun
}

export async function endRight(stack: MortalStack, { tenant, ids }: Begun): Promise<void> {
  const [fromFile, inline, atOpenAi] = ids
  for (const id of ids) await endedRight(stack, tenant, id, 'completed')
  for (const id of [fromFile, inline]) await expectTakenOnce(stack, tenant, id)
  expectMadeOnce(stack, atOpenAi)
  expect(await spentOf(stack, tenant, 8 + 3 + 3)).toBe(MICRO_USD)
}
