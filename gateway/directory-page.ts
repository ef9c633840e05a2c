/** A page of a list in the directory. */
import type { CursorScope } from './cursor.ts'
import { type PageQuery, pageOf } from './page.ts'

/**
 * `list` takes the ID to start after and the size of the page, and gives a row more than that where there are more; `view` makes of
 * a row what is shown.
 */
export const directoryPage = <R extends { id: string }, V>(
  scope: CursorScope,
  query: PageQuery,
  list: (after: string | null, size: number) => Promise<R[]>,
  view: (row: R) => V,
) =>
  pageOf(scope, query, async (after, size) => {
    const rows = await list(after, size)
    const page = rows.slice(0, size)
    return { data: page.map(view), nextAfter: rows.length > size ? (page.at(-1)?.id ?? null) : null }
  })
