/** Calls of OpenAI that do not come back before the runtime ends, each for a batch of its own. */
import { expect } from 'vitest'
import { markedItems } from '../support/batches.ts'
import type { Tenant } from '../support/tenant.ts'
import { endedRight, spentOf } from './evidence.ts'
import { submitted } from './sorts.ts'
import type { MortalStack } from './stack.ts'

/** That it does not answer, before or after it did what it was asked for. */
export const silences = [
  'batch-upload:hangs',
  'batch-create:hangs',
  'batch-create:hangs-after-work',
  'batch-read:hangs',
  'batch-content:hangs',
  'batch-delete:hangs',
]

export const openAiOrder = (wrong = '') => ({
  kind: 'summarize',
  model: 'openai/gpt-4o-mini',
  items: markedItems(wrong),
})

export const silentAt = (tenant: Tenant, silence: string) => submitted(tenant, openAiOrder(`${silence}:once`))

export const isSilent = ({ openAi }: MortalStack) =>
  openAi.asked.filter(({ fault }) => fault?.startsWith('hangs')).length >= silences.length

/** Three answers, each paid for once. */
export const MICRO_USD = 3 * 270

export async function endsAtOpenAi(stack: MortalStack, tenant: Tenant, id: string): Promise<void> {
  await endedRight(stack, tenant, id, 'completed')
  expect(await spentOf(stack, tenant, 3)).toBe(MICRO_USD)
  expectMadeOnce(stack, id)
}

export function expectMadeOnce(stack: MortalStack, id: string): void {
  const made = [...stack.openAi.effects].filter(([key]) => key.startsWith(`${id}-`))
  expect(made.map(([, times]) => times)).toEqual([1])
}
