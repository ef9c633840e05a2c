/** The texts that both ways embed, and what is verified of each result. */
import { hash } from 'node:crypto'
import { job } from '../accepting/job.ts'

export const KIND = 'embed'
export const MODEL = 'embedded/hash-1'
const DIMENSIONS = 256

/** No two are alike. */
export const inputOf = (index: number) => ({ texts: [`${job.input.text} Number ${index}.`] })

export const referenceOf = (index: number) => `item-${index}`

/** One item a line. */
export const ndjson = (items: number): string =>
  Array.from({ length: items }, (_, index) => {
    const item = { external_reference: referenceOf(index), input: inputOf(index) }
    return `${JSON.stringify(item)}\n`
  }).join('')

interface Embeddings {
  readonly dimensions: number
  readonly embeddings: readonly (readonly number[])[]
}

/** Results as they come in. What is wrong with one, and a second one for a reference, ends everything. */
export class Results {
  readonly #digests = new Map<string, string>()

  get count() {
    return this.#digests.size
  }

  add(reference: string, output: unknown): void {
    if (this.#digests.has(reference)) throw new Error(`${reference} has a second result.`)
    const { dimensions, embeddings } = output as Embeddings
    const [vector = [], ...more] = embeddings
    const isWhole = dimensions === DIMENSIONS && vector.length === DIMENSIONS && more.length === 0
    if (!isWhole || !vector.every(Number.isFinite) || vector.every((value) => value === 0))
      throw new Error(`${reference} has a result that is no embedding of one text.`)
    this.#digests.set(reference, hash('sha1', JSON.stringify(vector)))
  }

  /** Throws unless both hold the same vectors under the same references, one for each item. */
  expectEqual(others: Results, items: number): void {
    for (let index = 0; index < items; index++) {
      const digest = this.#digests.get(referenceOf(index))
      if (digest === undefined || digest !== others.#digests.get(referenceOf(index)))
        throw new Error(`${referenceOf(index)} has another result by the other way, or none.`)
    }
    if (this.count !== items || others.count !== items) throw new Error('There are results of no item.')
  }
}
