/** Items of a batch that run singly, from the opening of their jobs to their end. */
import { eq } from 'drizzle-orm'
import { claimJob } from '../claim.ts'
import { type JobRecord, jobColumns } from '../jobs.ts'
import { jobs } from '../schema.ts'
import { settleJob } from '../settle.ts'
import { answerTo, type BatchLedger, triedOf } from './batches.fixture.ts'
import { endGathering } from './gather.ts'
import { openItemJobs, openOrder } from './item-jobs.ts'
import type { Acting, ChunkOrder, ItemJob } from './protocol.ts'

export const itemJob = (position: number): ItemJob => ({
  position,
  input: '{"text":"a"}',
  inputRef: null,
  inputTokens: 10,
  fileIds: [],
})

export const jobsIn = (ledger: BatchLedger, batchId: string): JobRecord[] =>
  ledger.db.select(jobColumns).from(jobs).where(eq(jobs.batchId, batchId)).orderBy(jobs.batchPosition).all()

/** Opens the jobs of the chunk's items; answers the order that they were opened by. */
export function opened(ledger: BatchLedger, acting: Acting, chunk = 0): ChunkOrder {
  const order = ledger.run((ctx) => openOrder(ctx, acting, chunk))
  if (!order) throw new Error('Nothing to open.')
  const items = order.items.map(({ position }) => itemJob(position))
  ledger.run((ctx) => openItemJobs(ctx, acting, triedOf(order), items))
  return order
}

/** Begins to run a job of an item; what is answered ends it. */
export function claimed(
  ledger: BatchLedger,
  { id, attempt }: JobRecord,
  end: 'succeeds' | 'fails',
): () => void {
  const request = { messageId: `m-${id}`, jobId: id, attempt: attempt + 1 }
  ledger.run((ctx) => claimJob(ctx, request, () => true))
  const outcome =
    end === 'succeeds'
      ? ({ kind: 'completed', output: '{"summary":"a"}', outputRef: null } as const)
      : ({ kind: 'failed', class: 'permission_denied', retryAfterMs: null } as const)
  const usage = { inputTokens: 3, outputTokens: 2 }
  const settlement = { jobId: id, attempt: attempt + 1, outcome, usage, providerRequestId: null }
  return () => void ledger.run((ctx) => settleJob(ctx, settlement))
}

/** Runs a job of an item to this end. */
export const ran = (ledger: BatchLedger, job: JobRecord, end: 'succeeds' | 'fails'): void =>
  claimed(ledger, job, end)()

export const gathered = (ledger: BatchLedger, acting: Acting, order: ChunkOrder) =>
  ledger.run((ctx) => endGathering(ctx, acting, answerTo(order, 'sss')))
