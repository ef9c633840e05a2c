/** Uploaded files as customers send and see them. */
import { z } from '@hono/zod-openapi'
import { fileTypes } from '../catalog/file-types.ts'
import { Timestamp } from './common.ts'

export const DEFAULT_FILE_RETENTION_SECONDS = 86_400
const LONGEST_RETENTION_SECONDS = 2_592_000
const range = `Must be a whole number from 0 to ${LONGEST_RETENTION_SECONDS}.`

export const FileQuery = z.object({
  retention_seconds: z
    .string()
    .regex(/^[0-9]{1,7}$/, { error: range, abort: true })
    .refine((value) => Number(value) <= LONGEST_RETENTION_SECONDS, { error: range })
    .optional()
    .meta({
      type: 'integer',
      format: 'int32',
      minimum: 0,
      maximum: LONGEST_RETENTION_SECONDS,
      default: DEFAULT_FILE_RETENTION_SECONDS,
      description: 'How long the file is kept, unless a job needs it for longer.',
    }),
})

export const UploadedFile = z
  .object({
    id: z.string().meta({ example: 'file_01kb9k5s3w000p4d7g2j6m8q1v3x' }),
    object: z.literal('file'),
    content_type: z.string().meta({ description: 'As declared, without parameters.', example: 'text/plain' }),
    bytes: z.int().meta({ format: 'int64' }),
    sha256: z.string().meta({
      description: 'SHA-256 of the bytes, in hex.',
    }),
    created_at: Timestamp,
    content_expires_at: Timestamp,
  })
  .meta({ id: 'UploadedFile', description: 'A file that was uploaded. Its bytes are not given back.' })
export type UploadedFile = z.infer<typeof UploadedFile>

const binary = { schema: { type: 'string' as const, format: 'binary' } }

/** The raw bytes under their own type; nothing is parsed. */
export const fileBody = {
  required: true,
  description: 'The bytes of the file, as they are. `Content-Length` is required.',
  content: {
    'text/plain': { ...binary, example: 'All human beings are born free and equal in dignity and rights.' },
    ...Object.fromEntries(fileTypes.filter((type) => type !== 'text/plain').map((type) => [type, binary])),
  },
}
