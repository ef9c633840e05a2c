/** A generator of bytes as the body of a response. A reader that goes away ends it; without one, as to HEAD, nothing is begun. */

/** Small pieces are worth gathering: each one that is handed on costs a turn. */
const PIECE_BYTES = 64 * 1024

/**
 * What a body ends with that cannot go on, so that the connection is cut and nobody takes it for whole. `retryable` makes it a lost
 * connection to the runtime, which would else log it as an uncaught fault, stack and all.
 */
class BrokenOff extends Error {
  override readonly name = 'BrokenOff'
  readonly retryable = true
}

/** The status has long been sent when something breaks: `tell` hears of it, and the reader sees a body that breaks off. */
export function streamOf(
  pieces: AsyncGenerator<Uint8Array>,
  tell: (fault: unknown) => void,
): ReadableStream<Uint8Array> {
  const gathered = gather(pieces)
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      try {
        const { done, value } = await gathered.next()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (fault) {
        tell(fault)
        throw new BrokenOff()
      }
    },
    async cancel() {
      await gathered.return(undefined)
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

async function* gather(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let bytes = 0
  for await (const piece of pieces) {
    held.push(piece)
    bytes += piece.length
    if (bytes < PIECE_BYTES) continue
    yield joined(held, bytes)
    held = []
    bytes = 0
  }
  if (bytes > 0) yield joined(held, bytes)
}

function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const [only, another] = pieces
  if (only && !another) return only
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
