/**
 * Streams an upload to R2, a chunk at a time: whatever its size, a chunk is all that is held. Each chunk is looked at before it is
 * passed on, and the store only completes with the last one, so what is refused is not stored.
 */
import { hex } from '../../ledger/hex.ts'
import { Problem } from '../problem.ts'
import { type Declared, unfit } from './declared.ts'
import { Inspector } from './inspector.ts'

/** Stores the bytes under the key; answers their SHA-256 in hex. Throws the problem for bytes that are not what was declared. */
export async function storeUpload(
  bucket: R2Bucket,
  key: string,
  body: ReadableStream<Uint8Array>,
  declared: Declared,
): Promise<string> {
  const pipe = new FixedLengthStream(declared.bytes)
  const digest = new crypto.DigestStream('SHA-256')
  const writer = pipe.writable.getWriter()
  const putting = bucket.put(key, pipe.readable).then(
    () => null,
    (cause: unknown) => stopped(writer, cause),
  )
  const reader = body.getReader({ mode: 'byob' })
  try {
    await passOn(reader, [writer, digest.getWriter()], new Inspector(declared))
  } catch (error) {
    await stopped(writer, error)
    const failed = await putting
    throw error instanceof Problem ? error : Problem.unavailable(failed ?? error)
  }
  const failed = await putting
  if (failed) throw Problem.unavailable(failed)
  return hex(new Uint8Array(await digest.digest))
}

/** Makes the other side of the stream fail as well; answers why. */
async function stopped(writer: WritableStreamDefaultWriter, cause: unknown): Promise<unknown> {
  await writer.abort(cause).catch(() => undefined)
  return cause
}

/** Large enough that what a chunk costs by itself does not count. */
const CHUNK_BYTES = 64 * 1024

async function passOn(
  reader: ReadableStreamBYOBReader,
  sinks: WritableStreamDefaultWriter[],
  inspector: Inspector,
): Promise<void> {
  let memory = new ArrayBuffer(CHUNK_BYTES)
  for (;;) {
    const { done, value } = await reader.readAtLeast(CHUNK_BYTES, new Uint8Array(memory)).catch(brokenOff)
    const fault = done ? inspector.end() : inspector.look(value)
    if (fault) {
      await drained(reader)
      throw unfit(fault)
    }
    if (done) break
    await Promise.all(sinks.map((sink) => sink.write(value)))
    memory = value.buffer
  }
  await Promise.all(sinks.map((sink) => sink.close()))
}

const brokenOff = (): never => {
  throw unfit('The body is shorter than its Content-Length.')
}

/** Most clients only read an answer once they have sent all. */
async function drained(reader: ReadableStreamBYOBReader): Promise<void> {
  try {
    while (!(await reader.read(new Uint8Array(CHUNK_BYTES))).done);
  } catch {
    // The client is gone, and so is the need for an answer.
  }
}
