/** What every resource works with: the generated client, and how a call of it is made. */
import type { Client } from './generated/client/index.ts'
import type { Means } from './transport.ts'

export interface CallOptions {
  /** Ends the call, its retries and its pauses. */
  readonly signal?: AbortSignal
}

export interface PostOptions extends CallOptions {
  /** Made afresh for the call unless given; the same on each of its retries. Give your own to be safe across restarts, too. */
  readonly idempotencyKey?: string
}

export class Core {
  readonly client: Client
  readonly means: Means

  constructor(client: Client, means: Means) {
    this.client = client
    this.means = means
  }

  /** The options of a generated call. */
  read({ signal }: CallOptions = {}) {
    return { client: this.client, ...(signal && { signal }) }
  }

  async post({ idempotencyKey, ...options }: PostOptions = {}) {
    const key = idempotencyKey ?? (await this.means.newKey())
    return { ...this.read(options), headers: { 'Idempotency-Key': key } }
  }
}

/** What a call was made for. */
export const data = async <T>(call: Promise<{ data: T }>): Promise<T> => (await call).data
