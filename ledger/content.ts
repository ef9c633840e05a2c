/** Where content lies: in the ledger's row up to a size, beyond it in R2 under a key that follows from whose it is. */

import { timeOf } from './ids.ts'

/** Bytes of JSON that a row holds. */
export const INLINE_BYTES = 32 * 1024

export const HOUR_MS = 3_600_000
export const hourOf = (at: number) => Math.floor(at / HOUR_MS)

/** All that a tenant has in R2. */
export const tenantFolder = (tenantId: string) => `t/${tenantId}/`

/** `in` and `file` go by hour, so that the janitor finds what nobody refers to; `out` goes by job, `batch` by batch. */
export const folderOf = (tenantId: string, folder: 'in' | 'file' | 'out' | 'batch') =>
  `${tenantFolder(tenantId)}${folder}/`

/** What was stored in one hour (since the epoch). Hours have six digits until 2084, so keys sort by time. */
export const hourFolder = (tenantId: string, folder: 'in' | 'file', hour: number) =>
  `${folderOf(tenantId, folder)}${hour}/`

/** Create-if-absent: the same request writes the same object. */
export const inputKey = (tenantId: string, request: { hash: string; fingerprint: string }, now: number) =>
  `${hourFolder(tenantId, 'in', hourOf(now))}${request.hash}${request.fingerprint}`

/** Of the lines that a rerun took of another batch's source. Create-if-absent. */
export const copiedSourceKey = (tenantId: string, batchId: string, now: number) =>
  `${hourFolder(tenantId, 'in', hourOf(now))}${batchId}`

/** The outputs of all of a job's attempts. */
export const outputFolder = (tenantId: string, jobId: string) => `${folderOf(tenantId, 'out')}${jobId}/`

/** Create-if-absent: an attempt writes its output once. */
export const outputKey = (tenantId: string, jobId: string, attempt: number) =>
  `${outputFolder(tenantId, jobId)}${attempt}`

/** The job that an output is of; null for a key of another form. */
export const jobOfOutput = (key: string) => /^t\/[^/]+\/out\/([^/]+)\/[^/]+$/.exec(key)?.[1] ?? null

/** An upload writes its file once. The hour, that of the ID, lets a janitor find what nobody refers to. */
export const fileKey = (tenantId: string, fileId: string) =>
  `t/${tenantId}/file/${Math.floor(timeOf(fileId) / HOUR_MS)}/${fileId}`

export const createIfAbsent = { onlyIf: { etagDoesNotMatch: '*' } } as const

/** All that is kept of a batch in R2, but for its source. */
export const batchFolder = (tenantId: string, batchId: string) => `${folderOf(tenantId, 'batch')}${batchId}/`

/** All that is kept of one of its chunks. */
export const chunkFolder = (tenantId: string, batchId: string, chunk: number) =>
  `${batchFolder(tenantId, batchId)}${chunk}/`

/** The results of a chunk as one try brought them: NDJSON, a line for each item in input order. Create-if-absent. */
export const chunkOutputKey = (
  tenantId: string,
  batchId: string,
  chunk: number,
  epoch: number,
  tries: number,
) => `${chunkFolder(tenantId, batchId, chunk)}${epoch}-${tries}`

/** All that is kept of an evaluation of a model in R2: no tenant's, and deleted once the report is there. */
export const evaluationFolder = (evaluationId: string) => `evaluations/${evaluationId}/`

export const evaluationCasesKey = (evaluationId: string) => `${evaluationFolder(evaluationId)}cases`

export const evaluationAnswersFolder = (evaluationId: string) => `${evaluationFolder(evaluationId)}answers/`

/** What one model answered to one case. Create-if-absent: the first that is written counts. */
export const evaluationAnswerKey = (evaluationId: string, side: 'present' | 'candidate', index: number) =>
  `${evaluationAnswersFolder(evaluationId)}${side}-${index}`

/** The batch that something in R2 is of; null for a key of another form. */
export const batchOfContent = (key: string) => /^t\/[^/]+\/batch\/([^/]+)\/./.exec(key)?.[1] ?? null
