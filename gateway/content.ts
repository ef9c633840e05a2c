/** Content that is too large for a ledger row lies in R2. Written before the row that refers to it; deleted only after the ledger said so. */
import { createIfAbsent, INLINE_BYTES, inputKey } from '../ledger/content.ts'
import { removeObjects } from '../ledger/removal.ts'
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
  await storeOnce(bucket, inputRef, text)
  return { input: null, inputRef }
}

/** Two requests at once with one key write one object; R2 refuses a second write within a second, which is as good as done. */
export async function storeOnce(bucket: R2Bucket, key: string, text: string): Promise<void> {
  try {
    await bucket.put(key, utf8(text), createIfAbsent)
  } catch (error) {
    const stored = await bucket.head(key).catch(() => null)
    if (!stored) throw Problem.unavailable(error)
  }
}

/** Deletes what the ledger has let go of. It is tried until R2 has done it, here or by the ledger; but only then it is said to be done. */
export async function deleteStored(bucket: R2Bucket, refs: readonly string[]): Promise<void> {
  await removeObjects(bucket, refs).catch((cause: unknown) => {
    throw Problem.unavailable(cause)
  })
}
