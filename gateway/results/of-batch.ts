/** The results of a batch out of R2; what has no line there, but has ended, is told by the ledger. */
import type { Context } from 'hono'
import type { ItemRow, ResultPart as LedgerPart } from '../../ledger/batches/snapshots.ts'
import { utf8 } from '../encoding.ts'
import type { GatewayContext } from '../router.ts'
import { resultLine } from '../views/batch-item.ts'
import { mergeResults } from './merge.ts'
import { streamOf } from './stream.ts'

const PAGE_ITEMS = 500

export function streamResults(
  c: Context<GatewayContext>,
  batchId: string,
  parts: readonly LedgerPart[],
): ReadableStream<Uint8Array> {
  const items = new ItemWindow((after) =>
    c.var.ledger((ledger) => ledger.batchItems(batchId, null, after, PAGE_ITEMS, true)),
  )
  const sources = {
    open: (ref: string) => openObject(c.env.CONTENT, ref),
    linesOf: (_: number, first: number, count: number) => endedLines(items.between(first, count)),
  }
  // Content past its date is gone, even before it has been cleared away.
  const readable = parts.map((part) => (part.contentDeleted ? { ...part, outputRef: null } : part))
  return streamOf(mergeResults(readable, sources))
}

async function openObject(bucket: R2Bucket, ref: string): Promise<ReadableStream<Uint8Array>> {
  const object = await bucket.get(ref)
  if (!object) throw new Error('The results of a chunk are missing.')
  return object.body
}

async function* endedLines(items: AsyncIterable<ItemRow>): AsyncGenerator<Uint8Array> {
  for await (const item of items)
    if (item.status !== 'pending') yield utf8(`${JSON.stringify(resultLine(item))}\n`)
}

/** The items of a batch a page at a time: the next ones asked for are mostly in the page that is there. */
export class ItemWindow {
  readonly #read: (after: number | null) => Promise<{ readonly items: readonly ItemRow[] }>
  #page: readonly ItemRow[] = []

  /** `read` answers a page of items behind the index, in input order. */
  constructor(read: (after: number | null) => Promise<{ readonly items: readonly ItemRow[] }>) {
    this.#read = read
  }

  async *between(first: number, count: number): AsyncGenerator<ItemRow> {
    for (let index = first; index < first + count; index++) {
      if (!this.#holds(index)) this.#page = (await this.#read(index === 0 ? null : index - 1)).items
      const item = this.#page[index - (this.#page[0]?.index ?? 0)]
      if (item?.index !== index) throw new Error('An item of a batch is missing.')
      yield item
    }
  }

  #holds = (index: number) => {
    const first = this.#page[0]?.index ?? 0
    return index >= first && index < first + this.#page.length
  }
}
