/** Looks at the bytes of an upload as they pass: whether text is UTF-8, and audio begins like its type. Holds no content. */
import { formOf, HEAD_BYTES, looksLike } from '../../catalog/file-types.ts'
import type { Declared } from './declared.ts'

export class Inspector {
  readonly #declared: Declared
  readonly #decoder: TextDecoder | null
  #head: Uint8Array | null = new Uint8Array(0)
  #seen = 0

  constructor(declared: Declared) {
    this.#declared = declared
    this.#decoder =
      formOf(declared.contentType) === 'text'
        ? new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
        : null
  }

  /** What is wrong with the file, as far as this chunk shows; the last one shows all. Null when nothing is. */
  look(chunk: Uint8Array): string | null {
    this.#seen += chunk.byteLength
    if (this.#seen > this.#declared.bytes) return 'The body is longer than its Content-Length.'
    const isLast = this.#seen === this.#declared.bytes
    return this.#decoder ? lookAtText(this.#decoder, chunk, isLast) : this.#lookAtHead(chunk, isLast)
  }

  /** What is wrong when no more comes. */
  end(): string | null {
    return this.#seen < this.#declared.bytes ? 'The body is shorter than its Content-Length.' : null
  }

  #lookAtHead(chunk: Uint8Array, isLast: boolean): string | null {
    if (!this.#head) return null
    const head = Uint8Array.of(...this.#head, ...chunk.subarray(0, HEAD_BYTES - this.#head.byteLength))
    this.#head = head
    if (head.byteLength < HEAD_BYTES && !isLast) return null
    this.#head = null
    return looksLike(this.#declared.contentType, head) ? null : 'The file is not of its declared type.'
  }
}

/** A character that is cut at the end of a chunk may go on in the next; at the end of the file it may not. */
function lookAtText(decoder: TextDecoder, chunk: Uint8Array, isLast: boolean): string | null {
  try {
    decoder.decode(chunk, { stream: !isLast })
    return null
  } catch {
    return 'Not UTF-8.'
  }
}
