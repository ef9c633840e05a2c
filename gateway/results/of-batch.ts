/** The results of a batch out of R2; what has no line there, but has ended, is told by the ledger. */
import type { Context } from 'hono'
import type { Model } from '../../catalog/models.ts'
import type { BatchSnapshot } from '../../ledger/batches/snapshots.ts'
import { errorName, log } from '../../ledger/log.ts'
import { utf8 } from '../encoding.ts'
import type { GatewayContext } from '../router.ts'
import { type Item, lineOf, modelOf } from '../views/batch-item.ts'
import { mergeResults, type ResultPart } from './merge.ts'
import { streamOf } from './stream.ts'

const PAGE_ITEMS = 500
/** Reading the results is one request, which has been counted when they were asked for. */
const COUNTED = true

/** Nothing is read before the stream is. */
export function streamResults(
  c: Context<GatewayContext>,
  { batch, parts }: { readonly batch: BatchSnapshot; readonly parts: readonly ResultPart[] },
): ReadableStream<Uint8Array> {
  const model = modelOf(batch)
  const items = new ItemWindow((after) =>
    c.var.ledger((ledger) => ledger.batchItems(batch.id, null, after, PAGE_ITEMS, COUNTED)),
  )
  const sources = {
    open: (ref: string) => openObject(c.env.CONTENT, ref),
    linesOf: (part: ResultPart, first: number, count: number) =>
      endedLines(part, items.between(first, count), model),
  }
  return streamOf(loggingFaults(c, batch.id, mergeResults(parts, sources)))
}

/** The status has long been sent when something breaks: the answer breaks off, and the log says why. */
async function* loggingFaults(
  c: Context<GatewayContext>,
  batchId: string,
  pieces: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
  } catch (error) {
    const { requestId: request_id } = c.var
    log('batch.results_broke_off', { request_id, batch_id: batchId, error: errorName(error) })
    throw error
  }
}

async function openObject(bucket: R2Bucket, ref: string): Promise<ReadableStream<Uint8Array>> {
  const object = await bucket.get(ref)
  if (!object) throw new Error('The results of a chunk are missing.')
  return object.body
}

/** An output that is not there yet will be; one that has been deleted will not. */
async function* endedLines(
  { contentDeleted }: ResultPart,
  items: AsyncIterable<Item>,
  model: Model | null,
): AsyncGenerator<Uint8Array> {
  for await (const item of items)
    if (item.status !== 'succeeded' || contentDeleted) yield utf8(lineOf(item, model))
}

type ReadItems = (after: number | null) => Promise<{ readonly items: readonly Item[] }>

/** The items of a batch a page at a time: the next ones asked for are mostly in the page that is there. */
export class ItemWindow {
  readonly #read: ReadItems
  #page: readonly Item[] = []

  /** `read` answers a page of items behind the index, in input order. */
  constructor(read: ReadItems) {
    this.#read = read
  }

  async *between(first: number, count: number): AsyncGenerator<Item> {
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
