/** The batch side of the models that misbehave on purpose: each goes wrong in one way, always the same. */
import type { BatchProvider, ChunkRead, ItemAnswer } from '../batch-provider.ts'
import { chunkFailed, refused, usageOf } from './batch/answers.ts'
import { Submissions } from './embedded/submissions.ts'
import { type EmbeddedBatchParts, embeddedBatch } from './embedded-batch.ts'
import { FLAKY_FAILURES, pause, RATE_LIMIT_MS, SLOW_MS } from './test.ts'

/** What a model does in another way than the embedded provider. */
type Behaviour = (right: BatchProvider, parts: EmbeddedBatchParts) => Partial<BatchProvider>

const EVERY = 4

const refusing =
  (...failure: Parameters<typeof refused>): Behaviour =>
  () => ({ submit: async () => refused(...failure) })

/** Answers as they were, with the change, at what these cost; what is pending or failed stays so. */
const changing =
  (change: (answers: readonly ItemAnswer[]) => ItemAnswer[]): Behaviour =>
  (right) => ({
    async read(chunk) {
      const read = await right.read(chunk)
      if (read.kind !== 'done') return read
      const answers = change(read.answers)
      return { ...read, answers, usage: usageOf(answers) }
    },
  })

const filtered = ({ reference, index }: ItemAnswer): ItemAnswer => ({
  reference,
  index,
  kind: 'failed',
  class: 'content_filtered',
  usage: null,
})

const behaviours: Record<string, Behaviour> = {
  'test/slow': (_, parts) => embeddedBatch({ ...parts, readyMs: parts.readyMs + SLOW_MS }),
  'test/hangs': () => ({
    submit: ({ signal }) => pause(Number.POSITIVE_INFINITY, signal).then(() => ({ kind: 'unknown' })),
    reconcile: async () => ({ kind: 'unknowable' }),
  }),
  'test/flaky': (right, { content, folder }) => ({
    async submit(request) {
      const chunk = request.items[0]?.reference ?? ''
      const refusals = await new Submissions(content, folder).countRefused(chunk, request.key)
      return refusals > FLAKY_FAILURES ? right.submit(request) : refused('provider_unavailable')
    },
  }),
  'test/unavailable': refusing('provider_unavailable'),
  'test/rate-limited': refusing('rate_limited', RATE_LIMIT_MS),
  'test/permission-denied': refusing('permission_denied'),
  'test/content-filtered': changing((answers) => answers.map(filtered)),
  'test/invalid-output': changing((answers) =>
    answers.map((answer) => (answer.kind === 'completed' ? { ...answer, output: {} } : answer)),
  ),
  'test/priced': () => ({}),
  'test/limited': () => ({}),
  'test/unapproved': () => ({}),
  'test/batch-partial': changing((answers) =>
    answers.map((answer) => ((answer.index ?? 0) % EVERY === EVERY - 1 ? filtered(answer) : answer)),
  ),
  'test/batch-missing': changing((answers) => answers.filter(({ index }) => index !== 0)),
  'test/batch-duplicates': changing((answers) => [...answers, ...answers.filter(({ index }) => index === 0)]),
  // Called off, it is not pending any more.
  'test/batch-stuck': (_, parts) => embeddedBatch({ ...parts, readyMs: Number.POSITIVE_INFINITY }),
}

export function testBatch(parts: EmbeddedBatchParts): BatchProvider {
  const right = embeddedBatch(parts)
  const of = (model: string): BatchProvider => {
    const behaviour = behaviours[model]
    return behaviour ? { ...right, ...behaviour(right, parts) } : notThere
  }
  return {
    submit: (request) => of(request.model).submit(request),
    read: (chunk) => of(chunk.model).read(chunk),
    reconcile: (call) => of(call.model).reconcile(call),
    cancel: (chunk) => of(chunk.model).cancel(chunk),
  }
}

const notThere: BatchProvider = {
  submit: async () => refused('model_not_found'),
  read: async (): Promise<ChunkRead> => chunkFailed('model_not_found', null),
  reconcile: async () => ({ kind: 'absent' }),
  cancel: async () => undefined,
}
