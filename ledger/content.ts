/** Where content lies: in the ledger's row up to a size, beyond it in R2 under a key that follows from whose it is. */

import { timeOf } from './ids.ts'

/** Bytes of JSON that a row holds. */
export const INLINE_BYTES = 32 * 1024

const HOUR_MS = 3_600_000

/** Create-if-absent: the same request writes the same object. The hour lets a janitor find what nobody refers to. */
export const inputKey = (tenantId: string, request: { hash: string; fingerprint: string }, now: number) =>
  `t/${tenantId}/in/${Math.floor(now / HOUR_MS)}/${request.hash}${request.fingerprint}`

/** Create-if-absent: an attempt writes its output once. */
export const outputKey = (tenantId: string, jobId: string, attempt: number) =>
  `t/${tenantId}/out/${jobId}/${attempt}`

/** An upload writes its file once. The hour, that of the ID, lets a janitor find what nobody refers to. */
export const fileKey = (tenantId: string, fileId: string) =>
  `t/${tenantId}/file/${Math.floor(timeOf(fileId) / HOUR_MS)}/${fileId}`

export const createIfAbsent = { onlyIf: { etagDoesNotMatch: '*' } } as const
