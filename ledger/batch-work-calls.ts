/** What the Workflow of a batch, and the consumer that starts it, ask a ledger. Each call may come twice. */

import { AccountCalls } from './account-calls.ts'
import { beginSubmission } from './batches/begin-submission.ts'
import { endSubmission } from './batches/end-submission.ts'
import type { FaultPage } from './batches/faults.ts'
import { endGathering, gatherOrder, itemResults } from './batches/gather.ts'
import { type InstanceStanding, instanceStanding, nextInstance } from './batches/instances.ts'
import { openItemJobs, openOrder } from './batches/item-jobs.ts'
import { batchFiles, keepFaults, keepPages, type Sealed, sealPlan } from './batches/keep-plan.ts'
import { lookAtBatch } from './batches/look-at-batch.ts'
import { noteAnswers } from './batches/note-answers.ts'
import { pollOrders } from './batches/orders.ts'
import { takeSource } from './batches/own-source.ts'
import type { PlanSummary } from './batches/plan.ts'
import type {
  Acting,
  ChunkAnswer,
  ChunkOrder,
  ItemJob,
  ItemResult,
  LeasedFile,
  Look,
  Polled,
  Submission,
  SubmissionOutcome,
  Tried,
} from './batches/protocol.ts'
import type { ManifestItem } from './schema.ts'

export abstract class BatchWorkCalls extends AccountCalls {
  /** How the Workflow of a batch stands; null where nothing is left to be done for the batch. */
  instanceStanding(batchId: string): InstanceStanding | null {
    return this.runtime.desk.work(null, (ctx) => instanceStanding(ctx, batchId))
  }

  /** The number of the instance that may start now, in the place of `after`; null when another was given its place, or none is needed. */
  nextInstance(batchId: string, after: number): number | null {
    return this.runtime.desk.work(null, (ctx) => nextInstance(ctx, batchId, after))
  }

  /** What is to be done now; also how the Workflow shows that it lives. */
  async lookAtBatch(acting: Acting): Promise<Look> {
    await this.runtime.informed()
    const { desk } = this.runtime
    return desk.work({ kind: 'over' }, (ctx) => lookAtBatch(ctx, acting, !desk.sends))
  }

  /** Of the IDs, those that are files of the tenant: what a plan needs to know of them. */
  batchFiles(acting: Acting, ids: string[]): LeasedFile[] {
    return this.runtime.desk.work([], (ctx) => batchFiles(ctx, acting, ids))
  }

  /** False: the instance does not act for the batch any more. So with all that answer a boolean. */
  keepPages(acting: Acting, firstPage: number, pages: ManifestItem[][], fileIds: string[]): boolean {
    return this.runtime.desk.work(false, (ctx) => keepPages(ctx, acting, firstPage, pages, fileIds))
  }

  /** What a rerun takes of another batch's source lies in its own now. */
  takeSource(acting: Acting, ref: string): boolean {
    return this.runtime.desk.work(false, (ctx) => takeSource(ctx, acting, ref))
  }

  keepFaults(acting: Acting, page: FaultPage): boolean {
    return this.runtime.desk.work(false, (ctx) => keepFaults(ctx, acting, page))
  }

  /** All pages are kept: the batch is planned, or fails. */
  sealPlan(acting: Acting, summary: PlanSummary): Sealed {
    return this.runtime.desk.work('over', (ctx) => sealPlan(ctx, acting, summary))
  }

  async beginSubmission(acting: Acting, chunk: number): Promise<Submission> {
    await this.runtime.informed()
    const { desk } = this.runtime
    return desk.work({ kind: 'none' }, (ctx) => beginSubmission(ctx, acting, chunk, !desk.sends))
  }

  endSubmission(acting: Acting, tried: Tried, outcome: SubmissionOutcome): boolean {
    return this.runtime.desk.work(false, (ctx) => endSubmission(ctx, acting, tried, outcome))
  }

  /** Chunks as they were sent, for polling and calling off; those beyond what one reply carries are left out: ask again for them. */
  pollOrders(acting: Acting, chunks: number[]): ChunkOrder[] {
    return this.runtime.desk.work([], (ctx) => pollOrders(ctx, acting, chunks))
  }

  noteAnswers(acting: Acting, polled: Polled[]): boolean {
    return this.runtime.desk.work(false, (ctx) => noteAnswers(ctx, acting, polled))
  }

  /** The items of a chunk that are to run as jobs and have none yet; null when there are none. */
  openOrder(acting: Acting, chunk: number): ChunkOrder | null {
    return this.runtime.desk.work(null, (ctx) => openOrder(ctx, acting, chunk))
  }

  openItemJobs(acting: Acting, tried: Tried, jobs: ItemJob[]): boolean {
    const opened = this.runtime.desk.work(null, (ctx) => openItemJobs(ctx, acting, tried, jobs))
    if (opened) this.runtime.wake.deadline(opened.deadlineAt)
    return opened !== null
  }

  /** A chunk whose jobs have all ended, with all of its items; null when it is not that. */
  gatherOrder(acting: Acting, chunk: number): ChunkOrder | null {
    return this.runtime.desk.work(null, (ctx) => gatherOrder(ctx, acting, chunk))
  }

  /** What became of items by place, behind the place `after` (-1 for the first page); a page holds up to 1 MiB. Empty at the end. */
  itemResults(acting: Acting, chunk: number, after: number): ItemResult[] {
    return this.runtime.desk.work([], (ctx) => itemResults(ctx, acting, chunk, after))
  }

  /** The outputs of a chunk's jobs lie in one place now. What the jobs became stands already, so `statuses` is not read. */
  endGathering(acting: Acting, answer: ChunkAnswer): boolean {
    return this.runtime.desk.work(false, (ctx) => endGathering(ctx, acting, answer))
  }
}
