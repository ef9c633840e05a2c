/** Files as the input of jobs: whether they are there and fit, and what a claim hands over of them. */

import { formOf } from '../catalog/file-types.ts'
import type { KindName } from '../catalog/kind.ts'
import { kindOf } from '../catalog/kinds.ts'
import { findModel, type Model } from '../catalog/models.ts'
import type { FieldError } from '../openapi/common.ts'
import { holdRefs } from './content-refs.ts'
import type { LedgerContext } from './context.ts'
import { type FileRow, findFile, keptFiles } from './files.ts'
import { refused } from './replies.ts'
import type { Db } from './store.ts'

export interface FileRef {
  /** JSON Pointer of the ID in the request. */
  readonly pointer: string
  readonly fileId: string
}

/** A file as a lease hands it over. */
export interface LeasedFile {
  readonly id: string
  readonly ref: string
  readonly contentType: string
  readonly bytes: number
}

interface Request {
  readonly kind: KindName
  readonly model: string
  readonly fileRefs: readonly FileRef[]
}

const BYTES_PER_TOKEN = 4
/** For models that only say that they cannot hear: an isolate could not hold much more. */
const AUDIO_BYTES_UNSAID = 25 * 1024 * 1024

/** Why the files of a request cannot be taken; null when they can. */
export function fileRefusal(ctx: LedgerContext, { kind, model: modelId, fileRefs }: Request) {
  const model = findModel(modelId)
  if (fileRefs.length === 0 || !model) return null
  const tooSmall = fileBytesOf(ctx, fileRefs) > bytesFor(kind, model) ? model : null
  const errors = fileRefs.flatMap(({ pointer, fileId }): FieldError[] => {
    const detail = faultOf(findFile(ctx, fileId), kind, tooSmall)
    return detail === null ? [] : [{ pointer, detail }]
  })
  return errors.length > 0
    ? refused('invalid-request', 'A file that the input refers to cannot be used.', { errors })
    : null
}

/** Bytes of the files that a request refers to, of those that are there: what an estimate of its cost can go by. */
export const fileBytesOf = (ctx: LedgerContext, fileRefs: readonly FileRef[]) =>
  fileRefs.reduce((sum, { fileId }) => sum + (findFile(ctx, fileId)?.bytes ?? 0), 0)

/** `tooSmall` is the model when it cannot take all files together. */
function faultOf(file: FileRow | undefined, kind: KindName, tooSmall: Model | null): string | null {
  if (!file) return 'There is no such file.'
  const { reads, maxFileBytes } = kindOf(kind)
  if (formOf(file.contentType) !== reads)
    return `${kind} reads ${reads}, and this file is ${file.contentType}.`
  if (tooSmall) return `Too large for ${tooSmall.id}.`
  return file.bytes > maxFileBytes ? `Too large for ${kind}: at most ${maxFileBytes} bytes.` : null
}

/** Bytes of all files together. */
const bytesFor = (kind: KindName, model: Model) =>
  kindOf(kind).reads === 'text'
    ? model.maxInputTokens * BYTES_PER_TOKEN
    : (model.maxAudioBytes ?? AUDIO_BYTES_UNSAID)

/** The distinct files of a request, in order. */
export const fileIdsOf = (fileRefs: readonly FileRef[]) => [...new Set(fileRefs.map(({ fileId }) => fileId))]

/** The job needs the bytes of its files. */
export const holdFiles = (db: Db, jobId: string, fileIds: readonly string[]) =>
  holdRefs(
    db,
    jobId,
    keptFiles(db, fileIds).map(({ ref }) => ref),
  )

export const leasedFiles = (db: Db, fileIds: readonly string[]): LeasedFile[] =>
  keptFiles(db, fileIds).map(({ id, ref, contentType, bytes }) => ({ id, ref, contentType, bytes }))
