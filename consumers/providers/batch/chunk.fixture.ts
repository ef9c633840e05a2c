/** Chunks as they are sent and read. */
import type { ChunkRequest, ItemAnswer, SubmittedChunk } from '../../batch-provider.ts'

export const referenceOf = (at: number) => at.toString(16).padStart(32, '0')

/** A chunk of as many texts to summarise. */
export const chunkOf = (model: string, count: number, more: Partial<ChunkRequest> = {}): ChunkRequest => ({
  kind: 'summarize',
  model,
  params: {},
  items: Array.from({ length: count }, (_, at) => ({
    reference: referenceOf(at),
    input: { text: `All human beings are born free, number ${at}.` },
  })),
  key: 'batch_1-0-0-1',
  traceparent: null,
  // A chunk may be made when its file is loaded, which can be long before it is sent.
  signal: new AbortController().signal,
  ...more,
})

export const submitted = ({ items, ...call }: ChunkRequest, requestId: string): SubmittedChunk => ({
  ...call,
  requestId,
  references: items.map(({ reference }) => reference),
  inputs: async () => items,
})

/** What became of each item, in input order. */
export const told = (answers: readonly ItemAnswer[]) =>
  answers
    .toSorted((a, b) => (a.reference ?? '').localeCompare(b.reference ?? ''))
    .map((answer) => (answer.kind === 'completed' ? 'completed' : answer.class))
