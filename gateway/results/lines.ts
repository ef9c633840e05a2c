/** A stream of lines, read a number of lines at a time. Bytes pass through as they are: nothing is decoded, and no line is held whole. */
const END_OF_LINE = 0x0a

export class LineReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #rest: Uint8Array = new Uint8Array(0)

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader()
  }

  /** The next `count` lines with their ends, in pieces as they come. Throws where there are fewer. */
  async *take(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0) this.#rest = await this.#next()
      const { bytes, lines } = upTo(this.#rest, left)
      yield this.#rest.subarray(0, bytes)
      this.#rest = this.#rest.subarray(bytes)
      left -= lines
    }
  }

  /** Whoever reads no further says so, or the bytes keep coming. */
  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => null)
  }

  async #next() {
    const { done, value } = await this.#reader.read()
    if (done) throw new Error('A stream of lines ended before its last line.')
    return value
  }
}

/** As much of the bytes as belongs to the first `most` lines, and how many of these end there. */
function upTo(bytes: Uint8Array, most: number): { bytes: number; lines: number } {
  let [lines, from] = [0, 0]
  while (lines < most) {
    const end = bytes.indexOf(END_OF_LINE, from)
    if (end === -1) return { bytes: bytes.length, lines }
    lines++
    from = end + 1
  }
  return { bytes: from, lines }
}
