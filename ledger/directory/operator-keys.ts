/** Operators' idempotency keys that are held while work of several steps runs. */
import { and, eq, lt, sql } from 'drizzle-orm'
import type { RequestKey } from '../idempotency.ts'
import type { Directory } from './open.ts'
import { operatorKeys } from './schema.ts'

/** The response of a key whose first request is still running. */
export const UNANSWERED = ''
/** Longer than such work takes; after that it counts as broken off. */
const HELD_MS = 60_000

/** Whether the key is ours now: it was not there, or whoever held it has broken off. */
export async function holdKey(directory: Directory, key: RequestKey, now: number): Promise<boolean> {
  const { hash: keyHash, fingerprint } = key
  const held = await directory
    .insert(operatorKeys)
    .values({ keyHash, fingerprint, response: UNANSWERED, createdAt: now })
    .onConflictDoUpdate({
      target: operatorKeys.keyHash,
      set: { createdAt: now },
      setWhere: sql`${eq(operatorKeys.response, UNANSWERED)} and ${lt(operatorKeys.createdAt, now - HELD_MS)}`,
    })
    .returning({ keyHash: operatorKeys.keyHash })
  return held.length > 0
}

export async function keepAnswer(
  directory: Directory,
  { hash }: RequestKey,
  response: string,
): Promise<void> {
  await directory.update(operatorKeys).set({ response }).where(eq(operatorKeys.keyHash, hash))
}

/** A request that was refused uses up no key. */
export async function dropKey(directory: Directory, { hash }: RequestKey): Promise<void> {
  await directory
    .delete(operatorKeys)
    .where(and(eq(operatorKeys.keyHash, hash), eq(operatorKeys.response, UNANSWERED)))
}
