/** Batches whose items lie in a file. */
import { createFile } from '../files.ts'
import { mintId, randomBytes } from '../ids.ts'
import { acceptBatch } from './accept-batch.ts'
import { type BatchLedger, requestAt } from './batches.fixture.ts'

export const FILE_REF = 'the-file'

/** A batch from a file of its tenant that nobody has read yet. */
export function unplannedBatch(
  ledger: BatchLedger,
  more: Parameters<typeof requestAt>[2] = {},
): { fileId: string; batchId: string } {
  const fileId = mintId('file', 0, ledger.now, randomBytes)
  const file = { id: fileId, ref: FILE_REF, contentType: 'application/x-ndjson', bytes: 9, sha256: '0' }
  ledger.run((ctx) => createFile(ctx, { ...file, createdBy: 'c', retentionSeconds: 2_592_000, key: null }))
  const request = requestAt(ledger.now, [], { ...more, source: { kind: 'file', fileId } })
  ledger.run((ctx) => acceptBatch(ctx, request))
  return { fileId, batchId: request.call.id }
}
