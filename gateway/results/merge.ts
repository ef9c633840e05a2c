/**
 * The results of a batch as one stream in input order. Each chunk's results lie in an object of their own, in input order too, and
 * its runs say which places of the input they are: so the runs of all chunks, sorted, say from which object the next lines come.
 * Memory is flat: an object is open from its first run to its last, and only chunks that were filled side by side overlap.
 */
import type { ResultPart as LedgerPart } from '../../ledger/batches/snapshots.ts'
import { LineReader } from './lines.ts'

/** As it comes over RPC, whose types know of arrays, not of pairs. */
export type ResultPart = Pick<LedgerPart, 'chunk' | 'ended' | 'outputRef' | 'contentDeleted'> & {
  readonly runs: readonly (readonly number[])[]
}

export interface ResultSources {
  /** The object of a chunk. */
  open(ref: string): Promise<ReadableStream<Uint8Array>>
  /** What there is to tell of items of a chunk that has no object: `count` places from `first` on. */
  linesOf(part: ResultPart, first: number, count: number): AsyncIterable<Uint8Array>
}

interface Stretch {
  readonly part: ResultPart
  readonly first: number
  readonly count: number
}

const inOrder = (parts: readonly ResultPart[]): Stretch[] =>
  parts
    .filter((part) => !isUntouched(part))
    .flatMap((part) => part.runs.map(([first = 0, count = 0]) => ({ part, first, count })))
    .sort((one, other) => one.first - other.first)

/** Whether all of its items are pending: there is nothing to tell of them. */
const isUntouched = ({ ended, outputRef }: ResultPart) => ended === 0 && outputRef === null

/** Throws where an object is missing or holds too few lines: what came before stands. */
export async function* mergeResults(
  parts: readonly ResultPart[],
  sources: ResultSources,
): AsyncGenerator<Uint8Array> {
  const readers = new Readers(sources)
  try {
    for (const { part, first, count } of inOrder(parts)) {
      if (part.outputRef === null || part.contentDeleted) yield* sources.linesOf(part, first, count)
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
    const left = runs.reduce((sum, [, count = 0]) => sum + count, 0)
    const source = { reader: new LineReader(await this.#sources.open(ref)), left }
    this.#open.set(chunk, source)
    return source
  }

  async closeAll(): Promise<void> {
    await Promise.all(Array.from(this.#open.values(), ({ reader }) => reader.close()))
  }
}
