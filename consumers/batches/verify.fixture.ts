/** Chunks whose answers are verified. */
import type { KindName } from '../../catalog/kind.ts'
import { findModel, type Model } from '../../catalog/models.ts'
import type { failureClasses } from '../../openapi/job-words.ts'
import type { ItemAnswer } from '../batch-provider.ts'
import { type CheckedChunk, verifyChunk } from './verify.ts'

const modelOf = (id: string): Model => {
  const model = findModel(id)
  if (!model) throw new Error(id)
  return model
}

const key = (place: number) => `${place}`.padStart(32, '0')

/** Items `r0`, `r1`, … that were sent as the chunk's, with indexes of their own in the batch. */
export const chunkOf = (
  kind: KindName,
  inputs: readonly unknown[],
  rest: Partial<CheckedChunk> = {},
): CheckedChunk => ({
  kind,
  model: modelOf('test/priced'),
  params: {},
  items: inputs.map((input, place) => ({
    position: place,
    index: 100 + place,
    reference: `r${place}`,
    key: key(place),
    input,
  })),
  ...rest,
})

export const completed = (place: number, output: unknown, rest: Partial<ItemAnswer> = {}): ItemAnswer =>
  ({ reference: key(place), index: place, kind: 'completed', output, usage: null, ...rest }) as ItemAnswer

export const failure = (place: number, name: (typeof failureClasses)[number]): ItemAnswer => ({
  reference: key(place),
  index: place,
  kind: 'failed',
  class: name,
  usage: null,
})

export const text = 'All human beings are born free.'
export const texts = (count: number) => Array.from({ length: count }, () => ({ text }))
export const summary = (place: number) => completed(place, { summary: 'Born free.' })

/** The verdict on answers that can be understood, with its lines read. */
export function verified(chunk: CheckedChunk, answers: readonly ItemAnswer[]) {
  const verdict = verifyChunk(chunk, answers)
  if (verdict.kind !== 'verified') throw new Error(verdict.kind)
  return {
    ...verdict,
    results: verdict.lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  }
}

export const nothing = { unknown: 0, missing: [], duplicate: [], empty: [], invalid: [], unfounded: [] }
