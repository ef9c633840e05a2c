/** Newline-delimited JSON out of a stream of bytes that may be cut anywhere. Read no faster than it is used. */
import { StreamError } from './errors.ts'

/** The values, one a line. Whoever stops early lets go of the stream. */
export async function* ndjson<T>(bytes: ReadableStream<Uint8Array>): AsyncGenerator<T, void, undefined> {
  let line = 0
  for await (const text of linesOf(bytes)) {
    line += 1
    if (text.trim() !== '') yield parse(text, line) as T
  }
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new StreamError(`Line ${line} is not JSON: the stream is broken off, or was no NDJSON.`, { cause })
  }
}

async function* linesOf(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  // A character may be cut in two: the decoder keeps its first part.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  // Pieces are joined when their line ends, so that a long one is not copied at every piece.
  let held: string[] = []
  for await (const piece of piecesOf(bytes)) {
    const [first = '', ...rest] = decode(decoder, piece).split('\n')
    held.push(first)
    for (const next of rest) {
      yield held.join('')
      held = [next]
    }
  }
  held.push(decode(decoder))
  yield held.join('')
}

function decode(decoder: TextDecoder, piece?: Uint8Array): string {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
  } catch (cause) {
    throw new StreamError('The stream is not UTF-8, or ends amid a character.', { cause })
  }
}

async function* piecesOf(bytes: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = bytes.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // Of no use once it has ended; without it, a connection that nobody reads stays open.
    await reader.cancel().catch(() => undefined)
  }
}
