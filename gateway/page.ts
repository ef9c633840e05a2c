/** A page of a list: one rule for all of them. */
import { DEFAULT_LIMIT } from '../openapi/common.ts'
import { type CursorScope, decodeCursor, encodeCursor } from './cursor.ts'

export interface PageQuery {
  readonly limit?: string | undefined
  readonly cursor?: string | undefined
}

interface Listed {
  /** What the next page starts after; null where this is the last. */
  readonly nextAfter: string | null
}

/** `list` takes what to start after, null at the beginning, and the size of the page. The rest of what it gives is the page. */
export async function pageOf<L extends Listed>(
  scope: CursorScope,
  { limit, cursor }: PageQuery,
  list: (after: string | null, size: number) => Promise<L>,
) {
  const after = await decodeCursor(scope, cursor)
  const { nextAfter, ...page } = await list(after, Number(limit ?? DEFAULT_LIMIT))
  const next_cursor = await encodeCursor(scope, nextAfter)
  return { ...page, has_more: next_cursor !== null, next_cursor }
}
