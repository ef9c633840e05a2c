/** Files as the input of jobs: whether they are there and fit, and what a claim hands over of them. */

import type { KindName } from '../catalog/kind.ts'
import { findModel } from '../catalog/models.ts'
import { holdRefs } from './content-refs.ts'
import type { LedgerContext } from './context.ts'
import { bytesOf, type FileRef, fileFaults } from './file-fit.ts'
import { findFile, keptFiles } from './files.ts'
import { refused } from './replies.ts'
import type { Db } from './store.ts'

export type { FileRef }

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

/** Why the files of a request cannot be taken; null when they can. */
export function fileRefusal(ctx: LedgerContext, { kind, model: modelId, fileRefs }: Request) {
  const model = findModel(modelId)
  if (fileRefs.length === 0 || !model) return null
  const errors = fileFaults(kind, model, fileRefs, (fileId) => findFile(ctx, fileId))
  return errors.length > 0
    ? refused('invalid-request', 'A file that the input refers to cannot be used.', { errors })
    : null
}

/** Bytes of the files that a request refers to, of those that are there: what an estimate of its cost can go by. */
export const fileBytesOf = (ctx: LedgerContext, fileRefs: readonly FileRef[]) =>
  bytesOf(fileRefs, (fileId) => findFile(ctx, fileId))

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

/** Of these, the files that are there for a new request. */
export const leasableFiles = (ctx: LedgerContext, fileIds: readonly string[]): LeasedFile[] =>
  leasedFiles(
    ctx.db,
    fileIds.filter((id) => findFile(ctx, id)),
  )
