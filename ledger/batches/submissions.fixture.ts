/** Chunks on their way to a provider and back. */
import { spend } from '../schema.ts'
import { type BatchLedger, triedOf } from './batches.fixture.ts'
import { beginSubmission } from './begin-submission.ts'
import { endSubmission } from './end-submission.ts'
import { noteAnswers } from './note-answers.ts'
import type { Acting, ChunkOrder, Polled, SubmissionOutcome } from './protocol.ts'

export const accepted = { kind: 'accepted', providerRequestId: 'req-1' } as const

export function begun(ledger: BatchLedger, acting: Acting, chunk = 0): ChunkOrder {
  const submission = ledger.run((ctx) => beginSubmission(ctx, acting, chunk, false))
  if (submission.kind === 'none') throw new Error('Nothing to submit.')
  return submission.order
}

export const ended = (ledger: BatchLedger, acting: Acting, order: ChunkOrder, outcome: SubmissionOutcome) =>
  ledger.run((ctx) => endSubmission(ctx, acting, triedOf(order), outcome))

/** A chunk that is at its provider. */
export function sent(ledger: BatchLedger, acting: Acting, chunk = 0): ChunkOrder {
  const order = begun(ledger, acting, chunk)
  ended(ledger, acting, order, { ...accepted, providerRequestId: `req-${chunk}` })
  return order
}

export const noted = (ledger: BatchLedger, acting: Acting, ...polled: Polled[]) =>
  ledger.run((ctx) => noteAnswers(ctx, acting, polled))

/** Micro-dollars that the tenant is charged so far. */
export const spent = (ledger: BatchLedger) => ledger.db.select().from(spend).get()?.microUsd ?? 0
