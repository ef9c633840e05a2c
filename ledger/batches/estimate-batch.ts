/** What an estimate needs of the ledger: the file that it is about, and why the batch would not be accepted now. Nothing is written. */
import type { LedgerContext } from '../context.ts'
import { done, type Outcome, type Refusal } from '../replies.ts'
import { duplicatesRefusal, itemsFile } from './accept-batch.ts'
import type { Keyed } from './duplicates.ts'
import type { OnDuplicate } from './plan.ts'
import { type AskedBatch, batchRefusals } from './refusals.ts'

export interface BatchAsked extends AskedBatch, Keyed {
  readonly onDuplicate: OnDuplicate
  /** Of all its items. */
  readonly keys: readonly string[]
}

export interface BatchEstimate {
  /** Why the batch would not be accepted as things stand; empty when it would be. */
  readonly reasons: Refusal['code'][]
}

/** A request that could never be accepted is refused as it would be when submitted. */
export function estimateBatch(ctx: LedgerContext, asked: BatchAsked): Outcome<BatchEstimate> {
  const refusals = [...batchRefusals(ctx, asked), ...duplicatesRefusals(ctx, asked)]
  const invalid = refusals.find(({ refusal }) => refusal.code === 'invalid-request')
  return invalid ?? done({ reasons: refusals.map(({ refusal }) => refusal.code) })
}

function* duplicatesRefusals(ctx: LedgerContext, asked: BatchAsked) {
  const refusal = duplicatesRefusal(ctx, asked, asked.keys)
  if (refusal) yield refusal
}

export interface BatchSource {
  /** In R2. */
  readonly ref: string
  readonly bytes: number
  readonly contentType: string
}

export function batchSource(ctx: LedgerContext, fileId: string): Outcome<BatchSource> {
  const file = itemsFile(ctx, fileId)
  if (!file.ok) return file
  const { ref, bytes, contentType } = file.value
  return done({ ref, bytes, contentType })
}
