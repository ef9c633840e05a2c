/** Whether files fit a kind of job and its model. Pure. */
import { formOf } from '../catalog/file-types.ts'
import type { KindName } from '../catalog/kind.ts'
import { kindOf } from '../catalog/kinds.ts'
import type { Model } from '../catalog/models.ts'
import type { FieldError } from '../openapi/common.ts'

export interface FileRef {
  /** JSON Pointer of the ID in the request. */
  readonly pointer: string
  readonly fileId: string
}

interface FileFacts {
  readonly contentType: string
  readonly bytes: number
}

type Find = (fileId: string) => FileFacts | undefined

const BYTES_PER_TOKEN = 4
/** For models that only say that they cannot hear: an isolate could not hold much more. */
const AUDIO_BYTES_UNSAID = 25 * 1024 * 1024

/** Why the files that an input refers to cannot be taken, at each place that names one; empty when they can. */
export function fileFaults(
  kind: KindName,
  model: Model,
  fileRefs: readonly FileRef[],
  find: Find,
): FieldError[] {
  const tooSmall = bytesOf(fileRefs, find) > bytesFor(kind, model) ? model : null
  return fileRefs.flatMap(({ pointer, fileId }): FieldError[] => {
    const detail = faultOf(find(fileId), kind, tooSmall)
    return detail === null ? [] : [{ pointer, detail }]
  })
}

/** Bytes of the files that are there: what an estimate of the cost can go by. */
export const bytesOf = (fileRefs: readonly FileRef[], find: Find) =>
  fileRefs.reduce((sum, { fileId }) => sum + (find(fileId)?.bytes ?? 0), 0)

/** `tooSmall` is the model when it cannot take all files together. */
function faultOf(file: FileFacts | undefined, kind: KindName, tooSmall: Model | null): string | null {
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
