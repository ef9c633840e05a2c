/** Batches that have ended, and reruns of them. */
import { doomedContent } from '../schema.ts'
import {
  answerTo,
  type BatchLedger,
  callAt,
  lookWork,
  plannedChunks,
  startedBatch,
  triedOf,
} from './batches.fixture.ts'
import { beginSubmission } from './begin-submission.ts'
import { endSubmission } from './end-submission.ts'
import { noteAnswers } from './note-answers.ts'
import type { Acting } from './protocol.ts'
import { rerunBatch } from './rerun-batch.ts'
import type { RerunOrder } from './rerun-terms.ts'

const order: RerunOrder = {
  mode: 'incomplete_only',
  processingVersion: null,
  model: null,
  params: null,
  createdBy: 'other',
  traceparent: '00-2-2-00',
}

/** A batch that ended with these answers, one text for each chunk. */
export function finished(
  ledger: BatchLedger,
  answers: string[],
  chunks = plannedChunks(answers.map((one) => one.length)),
): Acting {
  const acting = startedBatch(ledger, chunks)
  lookWork(ledger, acting)
  for (const [chunk, statuses] of answers.entries()) {
    const submission = ledger.run((ctx) => beginSubmission(ctx, acting, chunk, false))
    if (submission.kind === 'none') throw new Error('Nothing to submit.')
    const outcome = { kind: 'accepted', providerRequestId: 'req' } as const
    ledger.run((ctx) => endSubmission(ctx, acting, triedOf(submission.order), outcome))
    ledger.run((ctx) => noteAnswers(ctx, acting, [answerTo(submission.order, statuses)]))
  }
  return acting
}

export const rerun = (
  ledger: BatchLedger,
  { batchId }: Acting,
  more: Partial<RerunOrder> = {},
  key: string | null = null,
) => ledger.run((ctx) => rerunBatch(ctx, callAt(ledger.now, key), batchId, { ...order, ...more }))

/** Objects that are to go. */
export const doomed = (ledger: BatchLedger) =>
  ledger.db
    .select()
    .from(doomedContent)
    .all()
    .map(({ ref }) => ref)
