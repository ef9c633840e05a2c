/** The calls of OpenAI's batch side, by their paths. */
export type BatchCall = 'upload' | 'create' | 'read' | 'list' | 'content' | 'cancel' | 'delete'

export interface BatchRequest {
  readonly call: BatchCall
  /** Of the file or batch that the path names. */
  readonly id: string
  readonly after: string | null
  readonly body: Record<string, unknown>
}

const routes: [string, RegExp, BatchCall][] = [
  ['POST', /^\/v1\/files()$/, 'upload'],
  ['GET', /^\/v1\/files\/([^/]+)\/content$/, 'content'],
  ['DELETE', /^\/v1\/files\/([^/]+)$/, 'delete'],
  ['POST', /^\/v1\/batches()$/, 'create'],
  ['GET', /^\/v1\/batches()$/, 'list'],
  ['GET', /^\/v1\/batches\/([^/]+)$/, 'read'],
  ['POST', /^\/v1\/batches\/([^/]+)\/cancel$/, 'cancel'],
]

export function batchRequest(method: string, url: URL, body: Record<string, unknown>): BatchRequest | null {
  for (const [wanted, path, call] of routes) {
    const id = wanted === method ? path.exec(url.pathname)?.[1] : undefined
    if (id !== undefined) return { call, id, after: url.searchParams.get('after'), body }
  }
  return null
}
