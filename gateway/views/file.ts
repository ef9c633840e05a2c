/** Files as the API shows them. */
import type { FileRow } from '../../ledger/files.ts'
import { timestamp } from '../../ledger/wire.ts'
import type { UploadedFile } from '../../openapi/files.ts'

export const fileView = (file: FileRow): UploadedFile => ({
  id: file.id,
  object: 'file',
  content_type: file.contentType,
  bytes: file.bytes,
  sha256: file.sha256,
  created_at: timestamp(file.createdAt),
  content_expires_at: timestamp(file.expiresAt),
})
