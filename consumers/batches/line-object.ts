/**
 * An object of lines in R2, written as they come: small ones in one piece and only if absent, large ones in parts, of which no more
 * than one is held. Who writes the same key writes the same lines, so it does not matter who was first.
 */
import { createIfAbsent } from '../../ledger/content.ts'

/** R2 wants all parts but the last to be of one size, of 5 MiB at least. */
const PART_BYTES = 8 * 1024 * 1024

type Bucket = Pick<R2Bucket, 'put' | 'createMultipartUpload'>

export class LineObject {
  readonly #bucket: Bucket
  readonly #key: string
  readonly #partBytes: number
  readonly #encoder = new TextEncoder()
  #held: Uint8Array[] = []
  #heldBytes = 0
  #upload: R2MultipartUpload | null = null
  readonly #parts: R2UploadedPart[] = []

  constructor(bucket: Bucket, key: string, partBytes = PART_BYTES) {
    this.#bucket = bucket
    this.#key = key
    this.#partBytes = partBytes
  }

  /** `line` with its line feed. */
  async add(line: string): Promise<void> {
    const bytes = this.#encoder.encode(line)
    this.#held.push(bytes)
    this.#heldBytes += bytes.byteLength
    while (this.#heldBytes > this.#partBytes) await this.#send(this.#take(this.#partBytes))
  }

  async close(): Promise<void> {
    const rest = this.#take(this.#heldBytes)
    if (!this.#upload) await this.#bucket.put(this.#key, rest, createIfAbsent)
    else {
      await this.#send(rest)
      await this.#upload.complete(this.#parts)
    }
  }

  /** Leaves nothing behind; for whoever cannot go on. */
  async abort(): Promise<void> {
    await this.#upload?.abort().catch(() => undefined)
  }

  async #send(part: Uint8Array): Promise<void> {
    this.#upload ??= await this.#bucket.createMultipartUpload(this.#key)
    this.#parts.push(await this.#upload.uploadPart(this.#parts.length + 1, part))
  }

  /** The first so many bytes of what is held. */
  #take(size: number): Uint8Array {
    const taken = new Uint8Array(size)
    let at = 0
    while (at < size) {
      const [first = taken] = this.#held.splice(0, 1)
      const fits = first.subarray(0, size - at)
      taken.set(fits, at)
      at += fits.byteLength
      if (fits.byteLength < first.byteLength) this.#held.unshift(first.subarray(fits.byteLength))
    }
    this.#heldBytes -= size
    return taken
  }
}

/** Writes the lines that the body adds. */
export async function writeLines(
  bucket: Bucket,
  key: string,
  body: (lines: LineObject) => Promise<void>,
): Promise<void> {
  const lines = new LineObject(bucket, key)
  try {
    await body(lines)
    await lines.close()
  } catch (error) {
    await lines.abort()
    throw error
  }
}
