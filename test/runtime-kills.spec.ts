/** The runtime of all Workers is ended by SIGKILL, in the midst of what Workflows do, and started again on what it left on disk. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endsAtOpenAi, isSilent, silences, silentAt } from './kills/at-openai.ts'
import { isDone } from './kills/evidence.ts'
import { type Sort, sorts } from './kills/sorts.ts'
import { type MortalStack, startMortalStack } from './kills/stack.ts'
import { beginAmidKills, endRight } from './kills/sweep.ts'
import { endsUnlessUnknown, hanging } from './kills/unknowable.ts'
import { pause, until } from './support/wait.ts'

/** Asking fifty ledgers is a load on the runtime. */
const SELDOM_MS = 1000

let stack: MortalStack
beforeAll(async () => {
  stack = await startMortalStack()
})
afterAll(() => stack.stop())

/** A batch that does not go on before the runtime ends. */
interface Held {
  readonly at: string
  ends(): Promise<void>
}

/** All calls of a run of the sort that nothing disturbs, each once. */
async function callsOf(sort: Sort): Promise<string[]> {
  const tenant = await stack.newTenant()
  const id = await sort.begin(stack, tenant)
  await sort.ends(stack, tenant, id, '', [])
  return [...new Set(stack.listener.heardOf(tenant.id))]
}

/** Its call `at` has had its effect, which it will never hear of. Null where it came to its end without that call. */
async function heldAt(sort: Sort, at: string, calls: readonly string[]): Promise<Held | null> {
  const tenant = await stack.newTenant()
  stack.listener.hold(tenant.id, at)
  const id = await sort.begin(stack, tenant)
  const isHeld = () => stack.listener.isHeld(tenant.id)
  await until(`${id} is held at ${at}`, async () => {
    if (!isHeld()) await pause(SELDOM_MS)
    return isHeld() || isDone(stack, tenant, id)
  })
  return isHeld() ? { at, ends: () => sort.ends(stack, tenant, id, at, calls) } : null
}

async function heldAtEachCall(sort: Sort): Promise<Held[]> {
  const calls = await callsOf(sort)
  const stops = calls.filter((call) => sort.stops.test(call))
  const held = await Promise.all(stops.map((at) => heldAt(sort, at, calls)))
  return held.filter((one) => one !== null)
}

async function heldByOpenAi(silence: string): Promise<Held> {
  const tenant = await stack.newTenant()
  const id = await silentAt(tenant, silence)
  return { at: silence, ends: () => endsAtOpenAi(stack, tenant, id) }
}

async function heldBySilence(): Promise<Held> {
  const tenant = await stack.newTenant()
  const id = await hanging(stack, tenant)
  return { at: 'submit: hangs', ends: () => endsUnlessUnknown(stack, tenant, id, true) }
}

const steps = ['look', 'copy', 'plan', 'submit', 'poll', 'open', 'gather', 'call off', 'wait', 'hand over']

describe('a runtime that is killed', { timeout: 300_000 }, () => {
  it('after each call of each step leaves every batch as it must be', async () => {
    const others = [heldBySilence(), ...silences.map(heldByOpenAi)]
    const held = (await Promise.all([Promise.all(others), ...sorts.map(heldAtEachCall)])).flat()
    await until('OpenAI is silent', () => isSilent(stack))
    const stops = held.map(({ at }) => at)
    expect(steps.filter((step) => !stops.some((at) => at.startsWith(`${step}: `)))).toEqual([])

    await stack.workerd.kill()

    await Promise.all(held.map((batch) => batch.ends()))
  })

  it('again and again, ever later in the lives of batches, leaves every one as it must be', async () => {
    const begun = await beginAmidKills(stack, 8)

    await Promise.all(begun.map((batches) => endRight(stack, batches)))
  })
})
