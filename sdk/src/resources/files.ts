import { type CallOptions, type Core, data, type PostOptions } from '../core.ts'
import { createFile, deleteFile, getFile } from '../generated/sdk.gen.ts'
import { idOf } from '../kinds.ts'

export interface UploadOptions extends PostOptions {
  /** Such as `text/plain`, `application/x-ndjson` or `audio/wav`. */
  readonly contentType: string
  /** A day unless given. */
  readonly retentionSeconds?: number
}

export class Files {
  readonly #core: Core

  constructor(core: Core) {
    this.#core = core
  }

  /** Uploads content as it is; its ID then stands in the place of a text, or of a batch's items. */
  async upload(
    content: string | Blob | ArrayBuffer | Uint8Array,
    { contentType, retentionSeconds, ...options }: UploadOptions,
  ) {
    const { headers, ...call } = await this.#core.post(options)
    return data(
      createFile({
        ...call,
        // Any body of `fetch` will do, though the generated type names one.
        body: content as Blob,
        headers: { ...headers, 'Content-Type': contentType },
        ...(retentionSeconds !== undefined && { query: { retention_seconds: retentionSeconds } }),
      }),
    )
  }

  get(file: string | { id: string }, options?: CallOptions) {
    return data(getFile({ ...this.#core.read(options), path: { file_id: idOf(file) } }))
  }

  async delete(file: string | { id: string }, options?: CallOptions): Promise<void> {
    await deleteFile({ ...this.#core.read(options), path: { file_id: idOf(file) } })
  }
}
