/** Batches that have ended, and reruns of them. */
import { doomedContent } from '../schema.ts'
import {
  answerTo,
  type BatchLedger,
  callAt,
  lookWork,
  plannedChunks,
  startedBatch,
} from './batches.fixture.ts'
import type { Acting } from './protocol.ts'
import { type RerunOrder, rerunBatch } from './rerun-batch.ts'
import { noted, sent } from './submissions.fixture.ts'

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
  for (const [chunk, statuses] of answers.entries())
    noted(ledger, acting, answerTo(sent(ledger, acting, chunk), statuses))
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

export const refusedWith = (code: string) => ({ ok: false, refusal: { code } })
