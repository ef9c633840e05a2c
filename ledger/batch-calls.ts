/** What a ledger is asked about batches: by its tenant, and by operators. What their Workflows ask is in `batch-work-calls.ts`. */

import type { ItemStatus } from '../openapi/batch-states.ts'
import { BatchWorkCalls } from './batch-work-calls.ts'
import { acceptBatch, answeredBatch } from './batches/accept-batch.ts'
import { isBatchOver } from './batches/batch.ts'
import { cancelBatch } from './batches/cancel-batch.ts'
import { type Decision, decideBatch, listStalledBatches, type StalledBatch } from './batches/decide-batch.ts'
import { discardBatch } from './batches/discard-batch.ts'
import {
  type BatchAsked,
  type BatchEstimate,
  type BatchSource,
  batchSource,
  estimateBatch,
} from './batches/estimate-batch.ts'
import { type BatchForOperators, readBatchForOperators } from './batches/for-operators.ts'
import { type BatchFilter, listBatches } from './batches/list-batches.ts'
import type { BatchRequest } from './batches/plan.ts'
import { batchManifest, batchParts, readBatch } from './batches/read-batch.ts'
import { batchItems, batchReport } from './batches/read-items.ts'
import { rerunBatch } from './batches/rerun-batch.ts'
import type { RerunOrder } from './batches/rerun-terms.ts'
import {
  type AcceptedBatch,
  type BatchesPage,
  type BatchSnapshot,
  batchTag,
  type CancelledBatch,
  type ItemsPage,
  type ManifestPage,
  type ReportMaterial,
  type ResultParts,
} from './batches/snapshots.ts'
import { notReady } from './desk.ts'
import { type LeasedFile, leasableFiles } from './file-inputs.ts'
import type { Answered, Call } from './idempotency.ts'
import { expectContent } from './janitor.ts'
import type { Orders } from './orders.ts'
import { type Patient, watch } from './patient-reads.ts'
import { done, type Outcome, type Reply } from './replies.ts'
import { hasSeen, type Seen } from './seen.ts'
import type { Patience } from './waiters.ts'

export abstract class BatchCalls extends BatchWorkCalls {
  /** Before the items are stored: what the batch would be answered with now, or null if it would be accepted. Counts as the request. */
  foretellBatch(request: BatchRequest, orders: Orders): Reply<AcceptedBatch | null> {
    this.runtime.hear(orders)
    return this.runtime.desk.admit((ctx) => {
      const answer = answeredBatch(ctx, request)
      if (!answer) expectContent(ctx)
      return answer ?? done(null)
    })
  }

  /** `foretold`: the request was counted by `foretellBatch` already. */
  acceptBatch(request: BatchRequest, foretold: boolean, orders: Orders): Reply<AcceptedBatch> {
    this.runtime.hear(orders)
    return this.runtime.desk.admit((ctx) => acceptBatch(ctx, request), foretold)
  }

  /** The file of an estimate: where it lies. Counts as the request. */
  batchSource(fileId: string): Reply<BatchSource> {
    return this.runtime.desk.admit((ctx) => batchSource(ctx, fileId))
  }

  /** Why a batch with this estimate would not be accepted now. `counted`: by `batchSource`. */
  estimateBatch(asked: BatchAsked, counted: boolean, orders: Orders): Reply<BatchEstimate> {
    this.runtime.hear(orders)
    return this.runtime.desk.admit((ctx) => estimateBatch(ctx, asked), counted)
  }

  /** Of these, the files that are there, for items that refer to them; it belongs to a request that is counted elsewhere. */
  findFiles(ids: readonly string[]): Reply<LeasedFile[]> {
    return this.runtime.desk.admit((ctx) => done(leasableFiles(ctx, ids)), true)
  }

  /** Whoever has patience waits while the batch has not ended and is as they have seen it. It counts as one request. */
  readBatch(
    id: string,
    seen: Seen = null,
    patience: Patience | null = null,
  ): Promise<Reply<Patient<BatchSnapshot>>> {
    return watch(
      this.runtime,
      patience,
      (ctx) => readBatch(ctx, id),
      (batch) => isBatchOver(batch.status) || (seen !== null && !hasSeen(seen, batchTag(batch))),
    )
  }

  /** Newest first, batches older than the one named `after`. */
  listBatches(filter: BatchFilter, after: string | null, limit: number): Reply<BatchesPage> {
    return this.runtime.desk.admit((ctx) => listBatches(ctx, filter, after, limit))
  }

  /** In input order, items behind the index `after`. `counted`: further pages for one request. */
  batchItems(
    id: string,
    status: ItemStatus | null,
    after: number | null,
    limit: number,
    counted = false,
  ): Reply<ItemsPage> {
    return this.runtime.desk.admit((ctx) => batchItems(ctx, id, { status, after, limit }), counted)
  }

  batchManifest(id: string, after: number | null, limit: number): Reply<ManifestPage> {
    return this.runtime.desk.admit((ctx) => batchManifest(ctx, id, after, limit))
  }

  batchReport(id: string): Reply<ReportMaterial> {
    return this.runtime.desk.admit((ctx) => batchReport(ctx, id))
  }

  batchParts(id: string): Reply<ResultParts> {
    return this.runtime.desk.admit((ctx) => batchParts(ctx, id))
  }

  cancelBatch(call: Call, id: string): Reply<Answered<CancelledBatch>> {
    return this.runtime.desk.admit((ctx) => cancelBatch(ctx, call, id))
  }

  /** The new batch gets the call's ID, which is minted as a batch's. */
  rerunBatch(call: Call, id: string, order: RerunOrder, orders: Orders): Reply<Answered<BatchSnapshot>> {
    this.runtime.hear(orders)
    return this.runtime.desk.admit((ctx) => rerunBatch(ctx, call, id, order))
  }

  discardBatch(call: Call, id: string): Reply<Answered<BatchSnapshot>> {
    return this.runtime.desk.admit((ctx) => discardBatch(ctx, call, id))
  }

  /** For operators: batches with chunks that have waited too long, the longest first. Empty from a ledger that is not provisioned. */
  listStalledBatches(): StalledBatch[] {
    return this.runtime.desk.work([], listStalledBatches)
  }

  /** An operator's word on a batch that has stalled; of a suspended tenant's as well, which nobody else can end. */
  decideBatch(id: string, decision: Decision): Outcome<BatchSnapshot> {
    return this.runtime.desk.work<Outcome<BatchSnapshot>>(notReady, (ctx) => decideBatch(ctx, id, decision))
  }

  /** Null where there is no such batch. Never content. */
  readBatchForOperators(id: string): BatchForOperators | null {
    return this.runtime.desk.work(null, (ctx) => readBatchForOperators(ctx, id))
  }
}
