/** How many dead letters there are and were, for metrics and alerts. */
import { count, eq, min } from 'drizzle-orm'
import type { Directory } from './open.ts'
import { deadLetters, deadLetterTotals } from './schema.ts'

export interface DeadLetterFigures {
  readonly open: number
  readonly oldestOpenAt: number | null
  /** All that were ever recorded, by the queue they came from and the class of the failure. */
  readonly totals: readonly (typeof deadLetterTotals.$inferSelect)[]
}

export async function deadLetterFigures(directory: Directory): Promise<DeadLetterFigures> {
  const [totals, [standing]] = await directory.batch([
    directory.select().from(deadLetterTotals),
    directory
      .select({ open: count(), oldestOpenAt: min(deadLetters.createdAt) })
      .from(deadLetters)
      .where(eq(deadLetters.status, 'open')),
  ])
  return { totals, open: standing?.open ?? 0, oldestOpenAt: standing?.oldestOpenAt ?? null }
}
