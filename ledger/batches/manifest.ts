/** The pages of a batch's manifest. */
import { and, asc, eq } from 'drizzle-orm'
import { batchPages, type ManifestItem } from '../schema.ts'
import type { Db } from '../store.ts'
import { PAGE_ITEMS } from './plan.ts'

/** Writing a page again changes nothing: it is the same one. */
export function writePages(db: Db, batchId: string, firstPage: number, pages: ManifestItem[][]): void {
  for (const [at, items] of pages.entries())
    db.insert(batchPages)
      .values({ batchId, page: firstPage + at, items })
      .onConflictDoUpdate({ target: [batchPages.batchId, batchPages.page], set: { items } })
      .run()
}

export const pagesOf = (manifest: readonly ManifestItem[]): ManifestItem[][] =>
  Array.from({ length: Math.ceil(manifest.length / PAGE_ITEMS) }, (_, page) =>
    manifest.slice(page * PAGE_ITEMS, (page + 1) * PAGE_ITEMS),
  )

export const dropPages = (db: Db, batchId: string) => {
  db.delete(batchPages).where(eq(batchPages.batchId, batchId)).run()
}

/** Items by index. */
export type ManifestMap = ReadonlyMap<number, ManifestItem>

/** The items with these indexes, which ascend; only pages that hold one are read. */
export function readItems(db: Db, batchId: string, indexes: readonly number[]): ManifestMap {
  const wanted = new Set(indexes)
  const found = new Map<number, ManifestItem>()
  const pages = [...new Set(indexes.map((index) => Math.floor(index / PAGE_ITEMS)))]
  for (const page of pages)
    for (const [at, item] of readPage(db, batchId, page).entries()) {
      const index = page * PAGE_ITEMS + at
      if (wanted.has(index)) found.set(index, item)
    }
  return found
}

const readPage = (db: Db, batchId: string, page: number): ManifestItem[] =>
  db
    .select({ items: batchPages.items })
    .from(batchPages)
    .where(and(eq(batchPages.batchId, batchId), eq(batchPages.page, page)))
    .get()?.items ?? []

/** The whole manifest: to be asked for rarely. */
export const readManifest = (db: Db, batchId: string): ManifestItem[] =>
  db
    .select({ items: batchPages.items })
    .from(batchPages)
    .where(eq(batchPages.batchId, batchId))
    .orderBy(asc(batchPages.page))
    .all()
    .flatMap(({ items }) => items)
