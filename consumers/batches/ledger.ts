import type { PlanSummary } from '../../ledger/batches/plan.ts'
import type {
  Acting,
  ChunkAnswer,
  ChunkOrder,
  ItemJob,
  ItemResult,
  Look,
  Polled,
  Submission,
  SubmissionOutcome,
  Tried,
} from '../../ledger/batches/protocol.ts'
import type { LeasedFile } from '../../ledger/file-inputs.ts'
import type { ManifestItem } from '../../ledger/schema.ts'

export interface BatchLedger {
  instanceStanding(batchId: string): Promise<{ instance: number; silent: boolean } | null>
  nextInstance(batchId: string, after: number): Promise<number | null>
  lookAtBatch(acting: Acting): Promise<Look>
  batchFiles(acting: Acting, ids: string[]): Promise<LeasedFile[]>
  keepPages(acting: Acting, firstPage: number, pages: ManifestItem[][]): Promise<boolean>
  sealPlan(acting: Acting, summary: PlanSummary): Promise<'planned' | 'failed' | 'over'>
  beginSubmission(acting: Acting, chunk: number): Promise<Submission>
  endSubmission(acting: Acting, tried: Tried, outcome: SubmissionOutcome): Promise<boolean>
  pollOrders(acting: Acting, chunks: number[]): Promise<ChunkOrder[]>
  noteAnswers(acting: Acting, polled: Polled[]): Promise<boolean>
  openOrder(acting: Acting, chunk: number): Promise<ChunkOrder | null>
  openItemJobs(acting: Acting, tried: Tried, jobs: ItemJob[]): Promise<boolean>
  gatherOrder(acting: Acting, chunk: number): Promise<ChunkOrder | null>
  itemResults(acting: Acting, chunk: number, afterPosition: number): Promise<ItemResult[]>
  endGathering(acting: Acting, answer: ChunkAnswer): Promise<boolean>
}
