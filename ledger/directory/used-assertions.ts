/** Clients' assertions that were used (RFC 7523, section 3): here, because another isolate may be sent the same one. */
import { inArray, lt } from 'drizzle-orm'
import type { Directory } from './open.ts'
import { usedAssertions } from './schema.ts'

/** Whether it was not used before. */
export async function spendAssertion(
  directory: Directory,
  hash: string,
  expiresAt: number,
): Promise<boolean> {
  const added = await directory
    .insert(usedAssertions)
    .values({ hash, expiresAt })
    .onConflictDoNothing()
    .returning({ hash: usedAssertions.hash })
  return added.length > 0
}

const DROPPED_AT_ONCE = 500
/** A gateway whose clock is slow may still take it. */
const KEPT_LONGER_MS = 60_000

/** In rounds of a bounded size. */
export async function dropOldAssertions(directory: Directory, now: number): Promise<void> {
  const old = directory
    .select({ hash: usedAssertions.hash })
    .from(usedAssertions)
    .where(lt(usedAssertions.expiresAt, now - KEPT_LONGER_MS))
    .limit(DROPPED_AT_ONCE)
  await directory.delete(usedAssertions).where(inArray(usedAssertions.hash, old))
}
