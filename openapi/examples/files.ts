import type { UploadedFile } from '../files.ts'
import { type Examples, ids, times } from './example.ts'

export const fileExamples: { UploadedFile: Examples<typeof UploadedFile> } = {
  UploadedFile: {
    text: {
      summary: 'A text file',
      value: {
        id: ids.file,
        object: 'file',
        content_type: 'text/plain',
        bytes: 1024,
        sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
        created_at: times.created,
        content_expires_at: '2026-11-30T10:00:00.000Z',
      },
    },
  },
}
