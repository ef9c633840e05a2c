/** Cuts the manifest of a batch into pages as its items come. Pure. */
import type { FileRef } from '../file-fit.ts'
import type { ManifestItem } from '../schema.ts'
import { PAGE_ITEMS } from './plan.ts'

/** A page of the manifest, and the files that its items need. */
export interface PlannedPage {
  readonly page: number
  readonly items: ManifestItem[]
  readonly fileIds: string[]
}

export class ManifestPages {
  #items = 0
  #page: ManifestItem[] = []
  #fileIds = new Set<string>()
  #pages = 0

  /** In all pages. */
  get items() {
    return this.#items
  }

  /** Takes the next item; answers the page that it fills, if it does. */
  add(item: ManifestItem, fileRefs: readonly FileRef[]): PlannedPage[] {
    this.#items++
    this.#page.push(item)
    for (const { fileId } of fileRefs) this.#fileIds.add(fileId)
    return this.#page.length === PAGE_ITEMS ? [this.#turn()] : []
  }

  /** The page that is not full. */
  end(): PlannedPage[] {
    return this.#page.length > 0 ? [this.#turn()] : []
  }

  #turn(): PlannedPage {
    const page = { page: this.#pages++, items: this.#page, fileIds: [...this.#fileIds] }
    this.#page = []
    this.#fileIds = new Set()
    return page
  }
}
