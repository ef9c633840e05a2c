/** The manifest of a batch as the API shows it: what was to be done, and how it was cut, before anything was sent. */
import type { ChunkSnapshot, ManifestPage } from '../../ledger/batches/snapshots.ts'
import { nullableTimestamp, timestamp } from '../../ledger/wire.ts'
import type { BatchChunk, BatchManifest } from '../../openapi/batch-contents.ts'

/** `jobs` would say how it is done here; what customers see is that items run one by one. */
export const pathShown = ({ path }: Pick<ChunkSnapshot, 'path'>) => (path === 'jobs' ? 'individual' : 'batch')

export const chunkView = (chunk: ChunkSnapshot): BatchChunk => ({
  index: chunk.chunk,
  path: pathShown(chunk),
  state: chunk.state,
  item_count: chunk.items,
  bytes: chunk.bytes,
  confidentiality: chunk.confidentiality,
  retention_seconds: chunk.retentionSeconds,
  delete_after: nullableTimestamp(chunk.deleteAfter),
  provider_request_id: chunk.providerRequestId,
  submitted_at: nullableTimestamp(chunk.submittedAt),
  collected_at: nullableTimestamp(chunk.collectedAt),
})

/** A page of it; where the next begins is for whoever made it to say. */
export const manifestView = ({
  batch,
  chunks,
  items,
}: ManifestPage): Omit<BatchManifest, 'has_more' | 'next_cursor'> => ({
  id: batch.id,
  object: 'batch_manifest',
  kind: batch.kind,
  model: batch.model,
  model_version: batch.modelVersion,
  provider: batch.provider,
  processing_version: batch.processingVersion,
  confidentiality: batch.confidentiality,
  parent_batch_id: batch.parentBatchId,
  items_file_id: batch.itemsFileId,
  created_at: timestamp(batch.createdAt),
  created_by: batch.createdBy,
  retention: {
    retention_seconds: batch.retentionSeconds,
    content_expires_at: nullableTimestamp(batch.contentExpiresAt),
  },
  item_count: batch.counts.total,
  chunks: chunks.map(chunkView),
  items: items.map((item) => ({
    index: item.index,
    external_reference: item.reference,
    item_key: item.key,
    input_sha256: item.inputSha256,
    chunk: item.chunk,
  })),
})
