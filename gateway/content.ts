/** Content that is too large for a ledger row lies in R2. Written before the row that refers to it, never deleted here. */
import { utf8 } from './encoding.ts'
import type { IdempotencyKey } from './router.ts'

/** Bytes of JSON that a row holds; more goes to R2. */
export const INLINE_BYTES = 32 * 1024
const HOUR_MS = 3_600_000

export interface StoredInput {
  /** JSON text, for content that fits the row. */
  readonly input: string | null
  readonly inputRef: string | null
}

/** Stores the input where it belongs. The key follows from the request, so a repeated request writes nothing twice. */
export async function storeInput(
  bucket: R2Bucket,
  tenantId: string,
  key: IdempotencyKey,
  input: unknown,
  now: number,
): Promise<StoredInput> {
  const text = JSON.stringify(input)
  const bytes = utf8(text)
  if (bytes.byteLength <= INLINE_BYTES) return { input: text, inputRef: null }

  const inputRef = `t/${tenantId}/in/${Math.floor(now / HOUR_MS)}/${key.hash}${key.fingerprint}`
  await bucket.put(inputRef, bytes, { onlyIf: { etagDoesNotMatch: '*' } })
  return { input: null, inputRef }
}
