/**
 * The batch side of the provider inside the Worker: asynchronous on purpose, with answers out of order, so that a run without any
 * account takes the same ways as one at a provider outside. It keeps no content: the answers are made when they are read, from the
 * items as they were sent.
 */
import { findModel } from '../../catalog/models.ts'
import type { BatchProvider, ChunkRead, SubmittedChunk, TakenChunk } from '../batch-provider.ts'
import { answerOf, chunkFailed, type ItemAttempt, usageOf } from './batch/answers.ts'
import { type Memory, Submissions } from './embedded/submissions.ts'
import { attemptOf } from './embedded.ts'

export interface EmbeddedBatchParts {
  readonly content: Memory
  /** Of the batch. */
  readonly folder: string
  /** How long a chunk takes: queued and running, which look alike from outside. */
  readonly readyMs: number
  readonly now: () => number
}

const PREFIX = 'embedded-'

export function embeddedBatch({ content, folder, readyMs, now }: EmbeddedBatchParts): BatchProvider {
  const submissions = new Submissions(content, folder)
  return {
    async submit({ key, model }) {
      await submissions.take(key, model, now())
      return { kind: 'accepted', requestId: `${PREFIX}${key}` }
    },
    async read(chunk) {
      const taken = await submissions.find(keyOf(chunk))
      // Neither what it does not know nor what was called off will ever be there.
      if (!taken || taken.cancelled || taken.model !== chunk.model)
        return chunkFailed('provider_unavailable', null)
      return now() < taken.at + readyMs ? { kind: 'pending' } : done(chunk)
    },
    async reconcile({ key }) {
      const taken = await submissions.find(key)
      return taken ? { kind: 'found', requestId: `${PREFIX}${key}` } : { kind: 'absent' }
    },
    cancel: (chunk) => submissions.cancel(keyOf(chunk)),
  }
}

const keyOf = ({ requestId }: TakenChunk) => requestId.slice(PREFIX.length)

async function done({ kind, model, inputs, params }: SubmittedChunk): Promise<ChunkRead> {
  const answered = (await inputs()).map(({ reference, input }, index) =>
    answerOf(reference, index, attemptOf({ kind, model, input, params })),
  )
  return {
    kind: 'done',
    answers: outOfOrder(answered).map(({ answer }) => answer),
    usage: usageOf(answered),
    modelVersion: findModel(model)?.version ?? null,
  }
}

/** Every second one first: never the order in which they were sent. */
const outOfOrder = (all: readonly ItemAttempt[]) => [
  ...all.filter((_, at) => at % 2 === 1),
  ...all.filter((_, at) => at % 2 === 0),
]
