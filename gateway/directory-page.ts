/** A page of a list in the directory: one rule for all of them. */
import { DEFAULT_LIMIT } from '../openapi/common.ts'
import { type CursorScope, decodeCursor, encodeCursor } from './cursor.ts'

interface PageQuery {
  readonly limit?: string | undefined
  readonly cursor?: string | undefined
}

/**
 * `list` takes the ID to start after and the size of the page, and gives a row more than that where there are more; `view` makes of
 * a row what is shown.
 */
export async function directoryPage<R extends { id: string }, V>(
  scope: CursorScope,
  { limit, cursor }: PageQuery,
  list: (after: string | null, size: number) => Promise<R[]>,
  view: (row: R) => V,
) {
  const size = Number(limit ?? DEFAULT_LIMIT)
  const rows = await list(await decodeCursor(scope, cursor), size)
  const page = rows.slice(0, size)
  const next_cursor = rows.length > size ? await encodeCursor(scope, page.at(-1)?.id ?? null) : null
  return { data: page.map(view), has_more: next_cursor !== null, next_cursor }
}
