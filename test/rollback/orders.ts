/** Work of all sorts, and how each piece must end, whichever versions of the Workers it passed through. */
import type { Caller } from '../../bench/support/gateway.ts'
import { embedItems, ndjson } from '../support/batches.ts'
import { summarizeJob, TEXT } from '../support/tenant.ts'

export interface Order {
  readonly path: '/v1/jobs' | '/v1/batches'
  readonly body: object
  readonly status: string
  /** What is told of its end. */
  readonly event: string
  /** The class of its failure. */
  readonly error?: string
}

const succeeds = (body: object): Order => ({
  path: '/v1/jobs',
  body,
  status: 'succeeded',
  event: 'job.result_available',
})

const fails = (body: object, error: string): Order => ({
  path: '/v1/jobs',
  body,
  status: 'failed',
  event: 'job.failed',
  error,
})

const batch = (body: object, status: string): Order => ({
  path: '/v1/batches',
  body: { kind: 'embed', on_duplicate: 'run', ...body },
  status,
  event: 'batch.result_available',
})

const withModel = (name: string, more: object = {}) => summarizeJob({ model: `test/${name}`, ...more })

/** Input and output of more than 32 KiB each, which lie in R2. */
const large = { kind: 'embed', input: { texts: Array.from({ length: 200 }, (_, at) => `${TEXT} ${at}.`) } }

/** For whoever is tried first: a local queue runs one of them at a time. */
export const long: readonly Order[] = [
  succeeds(withModel('slow')),
  fails(withModel('hangs', { deadline_seconds: 6 }), 'deadline_exceeded'),
]

/** In the order in which they are handed in. */
export async function ordersOf(caller: Caller): Promise<Order[]> {
  return [
    batch({ items_file_id: await allWaysFile(caller) }, 'completed'),
    batch({ items: embedItems(4), model: 'test/batch-partial' }, 'partially_failed'),
    succeeds(large),
    succeeds(withModel('flaky')),
    succeeds(withModel('limited')),
    fails(withModel('content-filtered'), 'content_filtered'),
    fails(withModel('permission-denied'), 'permission_denied'),
    succeeds(summarizeJob()),
  ]
}

/** Items that are planned from a file, go to the provider in two chunks, and one that runs as a job, since its text is in a file. */
async function allWaysFile(caller: Caller): Promise<string> {
  const text = await upload(caller, 'text/plain', TEXT)
  const items = [
    ...embedItems(3),
    { external_reference: 'item-3', input: { file_id: text } },
    { ...embedItems(5).at(-1), confidentiality: 'public' },
  ]
  return upload(caller, 'application/x-ndjson', ndjson(items))
}

async function upload({ url, authorization }: Caller, type: string, body: string): Promise<string> {
  const headers = { Authorization: authorization, 'Content-Type': type }
  const response = await fetch(new URL('/v1/files', url), { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`The file was refused: ${await response.text()}`)
  return ((await response.json()) as { id: string }).id
}
