/**
 * The source of a rerun of items that came inline. It begins with the one of the batch that it reruns, which holds the inputs of all
 * items of that, so before it is planned its Workflow copies the lines that it takes: what is not its own goes when it is due. Until
 * then, which is moments, it holds the other's, and what may be done to that batch meanwhile leaves it something to read.
 */
import { copiedSourceKey } from '../content.ts'
import { holdRefs } from '../content-refs.ts'
import type { LedgerContext } from '../context.ts'
import { expectContent } from '../janitor.ts'
import { releaseSource } from './content.ts'
import { actingFor, showLife } from './instances.ts'
import type { Acting, CopyOrder } from './protocol.ts'
import { type BatchRow, updateBatch } from './rows.ts'

/** A file is its owner's, and is read where it lies. */
export const borrowsSource = ({ itemsFileId, lines }: BatchRow) => itemsFileId === null && lines !== null

/** Null for a batch that takes all of its source, or reads a file. */
export function copyOrder(ctx: LedgerContext, batch: BatchRow): CopyOrder | null {
  if (!borrowsSource(batch)) return null
  // Stored before the row refers to it.
  expectContent(ctx)
  const to = copiedSourceKey(ctx.identity.tenantId, batch.id, ctx.now)
  return { from: batch.sourceRef, lines: batch.lines ?? [], to }
}

/** The lines have been copied: the batch lets go of the other's source. False: the instance does not act for the batch any more. */
export function takeSource(ctx: LedgerContext, acting: Acting, ref: string): boolean {
  const batch = actingFor(ctx, acting)
  if (!batch) return false
  showLife(ctx, batch)
  if (!borrowsSource(batch)) return true
  releaseSource(ctx, batch)
  holdRefs(ctx.db, batch.id, [ref])
  updateBatch(ctx.db, batch.id, { sourceRef: ref, lines: null })
  return true
}
