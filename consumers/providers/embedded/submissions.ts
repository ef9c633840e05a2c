/** What the providers inside the Worker remember of the chunks they took: a small object for each, under their batch's folder. */
import { createIfAbsent } from '../../../ledger/content.ts'

export interface Submission {
  readonly model: string
  readonly at: number
  readonly cancelled: boolean
}

/** The part of a bucket that it takes. */
export type Memory = Pick<R2Bucket, 'head' | 'list' | 'put'>

export class Submissions {
  readonly #content: Memory
  readonly #folder: string

  constructor(content: Memory, batchFolder: string) {
    this.#content = content
    this.#folder = `${batchFolder}embedded/`
  }

  /** The first submission under a key stands, with its time. */
  async take(key: string, model: string, now: number): Promise<void> {
    const customMetadata = { model, at: String(now) }
    await this.#content.put(this.#keyOf(key), '', { ...createIfAbsent, customMetadata })
  }

  async find(key: string): Promise<Submission | null> {
    const object = await this.#content.head(this.#keyOf(key))
    const { model = '', at = '0', cancelled } = object?.customMetadata ?? {}
    return object && { model, at: Number(at), cancelled: cancelled !== undefined }
  }

  async cancel(key: string): Promise<void> {
    const taken = await this.find(key)
    if (!taken) return
    const customMetadata = { model: taken.model, at: String(taken.at), cancelled: 'true' }
    await this.#content.put(this.#keyOf(key), '', { customMetadata })
  }

  /** How many different keys were refused so far for this chunk, this one included. */
  async countRefused(chunk: string, key: string): Promise<number> {
    const prefix = `${this.#folder}refused/${encodeURIComponent(chunk)}/`
    await this.#content.put(`${prefix}${encodeURIComponent(key)}`, '')
    return (await this.#content.list({ prefix })).objects.length
  }

  #keyOf(key: string): string {
    return `${this.#folder}taken/${encodeURIComponent(key)}`
  }
}
