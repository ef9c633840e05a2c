/** A list of the API, read page by page as it is walked through. */

export interface Page<T> {
  readonly data: readonly T[]
  readonly has_more: boolean
  readonly next_cursor: string | null
}

/** `for await (const item of list)` walks through all of it; `pages()` goes by pages, `page()` reads the first. */
export class List<T> implements AsyncIterable<T> {
  readonly #read: (cursor?: string) => Promise<Page<T>>

  constructor(read: (cursor?: string) => Promise<Page<T>>) {
    this.#read = read
  }

  page(): Promise<Page<T>> {
    return this.#read()
  }

  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let cursor: string | undefined
    do {
      const page = await this.#read(cursor)
      yield page
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { data } of this.pages()) yield* data
  }
}
