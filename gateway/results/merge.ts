/**
 * The results of a batch as one stream in input order. Each chunk's results lie in an object of their own, in input order too, and
 * its runs say which places of the input they are: so the runs of all chunks, sorted, say from which object the next lines come.
 * Memory is flat: an object is open from its first run to its last, and only chunks that were filled side by side overlap.
 */
import type { Run } from '../../ledger/schema.ts'
import { LineReader } from './lines.ts'

/** What is known of a chunk's results. */
export interface ResultPart {
  readonly chunk: number
  /** Indexes of its items. */
  readonly runs: readonly Run[]
  /** The object with a line for each of its items; null while there is none. */
  readonly outputRef: string | null
}

export interface ResultSources {
  /** The object of a chunk. */
  open(ref: string): Promise<ReadableStream<Uint8Array>>
  /** Lines of items that have ended and have none in an object: `count` places from `first` on, all of one chunk. */
  linesOf(chunk: number, first: number, count: number): AsyncIterable<Uint8Array>
}

interface Stretch {
  readonly part: ResultPart
  readonly first: number
  readonly count: number
}

const inOrder = (parts: readonly ResultPart[]): Stretch[] =>
  parts
    .flatMap((part) => part.runs.map(([first, count]) => ({ part, first, count })))
    .sort((one, other) => one.first - other.first)

export async function* mergeResults(
  parts: readonly ResultPart[],
  sources: ResultSources,
): AsyncGenerator<Uint8Array> {
  const readers = new Readers(sources)
  try {
    for (const { part, first, count } of inOrder(parts)) {
      if (part.outputRef === null) yield* sources.linesOf(part.chunk, first, count)
      else yield* readers.take(part, part.outputRef, count)
    }
  } finally {
    await readers.closeAll()
  }
}

/** The objects that are open, with the lines that each has yet to give. */
class Readers {
  readonly #sources: ResultSources
  readonly #open = new Map<number, { reader: LineReader; left: number }>()

  constructor(sources: ResultSources) {
    this.#sources = sources
  }

  async *take(part: ResultPart, ref: string, count: number): AsyncGenerator<Uint8Array> {
    const source = this.#open.get(part.chunk) ?? (await this.#begin(part, ref))
    yield* source.reader.take(count)
    source.left -= count
    if (source.left > 0) return
    this.#open.delete(part.chunk)
    await source.reader.close()
  }

  async #begin({ chunk, runs }: ResultPart, ref: string) {
    const left = runs.reduce((sum, [, count]) => sum + count, 0)
    const source = { reader: new LineReader(await this.#sources.open(ref)), left }
    this.#open.set(chunk, source)
    return source
  }

  async closeAll(): Promise<void> {
    await Promise.all(Array.from(this.#open.values(), ({ reader }) => reader.close()))
  }
}
