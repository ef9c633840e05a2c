/** The runtime of all Workers is ended by SIGKILL, in the midst of what Workflows do, and started again on what it left on disk. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endsAtOpenAi, isSilent, silences, silentAt } from './kills/at-openai.ts'
import { type Sort, sorts } from './kills/sorts.ts'
import { type MortalStack, startMortalStack } from './kills/stack.ts'
import { until } from './support/wait.ts'

let stack: MortalStack
beforeAll(async () => {
  stack = await startMortalStack()
})
afterAll(() => stack.stop())

/** All calls of a run of the sort that nothing disturbs, each once. */
async function callsOf(sort: Sort): Promise<string[]> {
  const tenant = await stack.newTenant()
  const id = await sort.begin(stack, tenant)
  await sort.ends(stack, tenant, id, '', [])
  return [...new Set(stack.listener.heardOf(tenant.id))]
}

/** One whose call `at` has had its effect, which it will never hear of. */
async function heldAt(sort: Sort, at: string, calls: readonly string[]) {
  const tenant = await stack.newTenant()
  stack.listener.hold(tenant.id, at)
  const id = await sort.begin(stack, tenant)
  await until(`${id} is held at ${at}`, () => stack.listener.isHeld(tenant.id))
  return { at, ends: () => sort.ends(stack, tenant, id, at, calls) }
}

async function heldSomewhere(sort: Sort) {
  const calls = await callsOf(sort)
  const stops = calls.filter((call) => sort.stops.test(call))
  return Promise.all(stops.map((at) => heldAt(sort, at, calls)))
}

async function silentAtOpenAi(silence: string) {
  const tenant = await stack.newTenant()
  const id = await silentAt(tenant, silence)
  return { at: silence, ends: () => endsAtOpenAi(stack, tenant, id) }
}

const steps = ['look', 'copy', 'plan', 'submit', 'poll', 'open', 'gather', 'call off', 'hand over']

describe('a runtime that is killed', () => {
  it('after each call of each step leaves every batch as it must be', async () => {
    const t = Date.now()
    const lap = (what: string) => console.log(what, Date.now() - t)
    const waiting = await Promise.all([
      ...sorts.map(heldSomewhere),
      Promise.all(silences.map(silentAtOpenAi)),
    ])
    await until('OpenAI is silent', () => isSilent(stack))
    const batches = waiting.flat()
    lap(`held ${batches.map(({ at }) => at).join(', ')}`)

    await stack.workerd.kill()
    lap('killed')

    expect(new Set(batches.map(({ at }) => at.split(':')[0]))).toEqual(expect.objectContaining({}))
    const failed: string[] = []
    await Promise.all(batches.map(({ at, ends }) => ends().catch((e) => failed.push(`${at}: ${e}`))))
    lap('ended')
    expect(failed).toEqual([])
    for (const step of steps) expect(batches.some(({ at }) => at.startsWith(`${step}: `))).toBe(true)
  })
})
