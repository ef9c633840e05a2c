import { type CallOptions, type Core, data, type PostOptions } from '../core.ts'
import { StreamError } from '../errors.ts'
import {
  cancelBatch,
  createBatch,
  discardBatch,
  estimateBatch,
  getBatch,
  getBatchManifest,
  getBatchReport,
  getBatchResults,
  listBatches,
  listBatchItems,
  rerunBatch,
} from '../generated/sdk.gen.ts'
import type { ListBatchesData, ListBatchItemsData, RerunBatchData } from '../generated/types.gen.ts'
import { type Batch, type BatchRequest, type BatchResult, idOf, type Kind, type Ref } from '../kinds.ts'
import { List, type Page } from '../list.ts'
import { ndjson } from '../ndjson.ts'
import { type WaitOptions, waitForEnd } from '../wait.ts'

export type BatchFilter = Omit<NonNullable<ListBatchesData['query']>, 'cursor'>
export type BatchItemFilter = Omit<NonNullable<ListBatchItemsData['query']>, 'cursor'>
export type BatchRerun = RerunBatchData['body']

export class Batches {
  readonly #core: Core

  constructor(core: Core) {
    this.#core = core
  }

  async create<K extends Kind>(
    request: BatchRequest & { kind: K },
    options?: PostOptions,
  ): Promise<Batch<K>> {
    return data(createBatch({ ...(await this.#core.post(options)), body: request })) as Promise<Batch<K>>
  }

  /** Items, chunks, errors and the price, beforehand. Nothing is stored. */
  estimate(request: BatchRequest, options?: CallOptions) {
    return data(estimateBatch({ ...this.#core.read(options), body: request }))
  }

  get(batch: Ref, options?: CallOptions): Promise<Batch> {
    return data(getBatch(this.#about(batch, options))) as Promise<Batch>
  }

  /** Newest first. */
  list(filter: BatchFilter = {}, options?: CallOptions): List<Batch> {
    return new List((cursor) => {
      const query = { ...filter, ...(cursor !== undefined && { cursor }) }
      return data(listBatches({ ...this.#core.read(options), query })) as Promise<Page<Batch>>
    })
  }

  /** The batch once it has ended, well or not: look at its `status` and `counts`. */
  wait<K extends Kind = Kind>(batch: Ref<K>, options: WaitOptions<Batch<K>> = {}): Promise<Batch<K>> {
    const lookUp = async (headers: Record<string, string>) => {
      const call = { ...this.#about(batch, options), headers, throwOnError: false as const }
      const { data, error, response } = await getBatch(call)
      if (!response || (error !== undefined && response.status !== 304)) throw error
      return { state: response.status === 304 ? null : (data as Batch<K>), headers: response.headers }
    }
    return waitForEnd(lookUp, options, this.#core.means)
  }

  /** What has ended so far, in input order, successes and failures together; streamed, however many there are. */
  async *results<K extends Kind = Kind>(
    batch: Ref<K>,
    options?: CallOptions,
  ): AsyncGenerator<BatchResult<K>, void, undefined> {
    const call = { ...this.#about(batch, options), parseAs: 'stream' as const }
    const body = (await data(getBatchResults(call))) as unknown as ReadableStream<Uint8Array> | null
    try {
      if (body) yield* ndjson<BatchResult<K>>(body)
    } catch (cause) {
      options?.signal?.throwIfAborted()
      throw cause instanceof StreamError ? cause : new StreamError('The results are broken off.', { cause })
    }
  }

  /** What became of each item, without its content. */
  items(batch: Ref, filter: BatchItemFilter = {}, options?: CallOptions) {
    return new List((cursor) => {
      const query = { ...filter, ...(cursor !== undefined && { cursor }) }
      return data(listBatchItems({ ...this.#about(batch, options), query }))
    })
  }

  /** What was to be done, and how it was cut into chunks; `manifest-not-ready` while a file is being read. A page of its items. */
  manifest(batch: Ref, page: { limit?: number; cursor?: string } = {}, options?: CallOptions) {
    return data(getBatchManifest({ ...this.#about(batch, options), query: page }))
  }

  /** What was checked at the end. */
  report(batch: Ref, options?: CallOptions) {
    return data(getBatchReport(this.#about(batch, options)))
  }

  /** The answer is a receipt: what was stopped, what had finished, what it cost. */
  async cancel(batch: Ref, options?: PostOptions) {
    return data(cancelBatch({ ...(await this.#core.post(options)), path: { batch_id: idOf(batch) } }))
  }

  /** A new batch, of what failed or of everything. */
  async rerun(batch: Ref, request: BatchRerun, options?: PostOptions): Promise<Batch> {
    const call = { ...(await this.#core.post(options)), path: { batch_id: idOf(batch) }, body: request }
    return data(rerunBatch(call)) as Promise<Batch>
  }

  /** Deletes its results. */
  async discard(batch: Ref, options?: PostOptions): Promise<Batch> {
    const call = { ...(await this.#core.post(options)), path: { batch_id: idOf(batch) } }
    return data(discardBatch(call)) as Promise<Batch>
  }

  #about(batch: Ref, options?: CallOptions) {
    return { ...this.#core.read(options), path: { batch_id: idOf(batch) } }
  }
}
