/** Content that is too large for a ledger row lies in R2. Written before the row that refers to it, never deleted here. */
import { createIfAbsent, INLINE_BYTES, inputKey } from '../ledger/content.ts'
import { utf8 } from './encoding.ts'
import { Problem } from './problem.ts'
import type { IdempotencyKey } from './router.ts'

export interface StoredInput {
  /** JSON text, for content that fits the row. */
  readonly input: string | null
  readonly inputRef: string | null
}

/** Whether content fits the row. */
export const isInline = (text: string) => utf8(text).byteLength <= INLINE_BYTES

/** Stores large input. The key follows from the request, so a repeated request writes nothing twice. */
export async function storeInput(
  bucket: R2Bucket,
  tenantId: string,
  key: IdempotencyKey,
  text: string,
  now: number,
): Promise<StoredInput> {
  const inputRef = inputKey(tenantId, key, now)
  await putOnce(bucket, inputRef, utf8(text))
  return { input: null, inputRef }
}

/** Two requests at once with one key write one object; R2 refuses a second write within a second, which is as good as done. */
async function putOnce(bucket: R2Bucket, key: string, bytes: Uint8Array): Promise<void> {
  try {
    await bucket.put(key, bytes, createIfAbsent)
  } catch (error) {
    const stored = await bucket.head(key).catch(() => null)
    if (!stored) throw Problem.unavailable(error)
  }
}
