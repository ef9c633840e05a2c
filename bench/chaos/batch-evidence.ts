/** What a tenant's batches left behind: in its ledger's tables, and as its API shows them. */

import type { BatchManifest } from '../../openapi/batch-contents.ts'
import type { BatchStatus, ChunkState, ItemStatus } from '../../openapi/batch-states.ts'
import type { Batch } from '../../openapi/batches.ts'
import type { Caller } from '../support/gateway.ts'
import type { Workerd } from '../support/workerd.ts'
import { MARKER } from './bodies.ts'
import { inLedger } from './ledgers.ts'

export interface ChunkEnd {
  readonly batch_id: string
  readonly state: ChunkState
  readonly path: 'batch' | 'jobs'
  readonly tries: number
  readonly items: number
  readonly statuses: string
  /** JSON of the classes of items that failed, by place. */
  readonly errors: string
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  readonly expired: number
  readonly reserved_micro_usd: number
  readonly cost_micro_usd: number
  readonly estimate_micro_usd: number
  readonly input_tokens: number
  readonly output_tokens: number
}

export interface ResultLine {
  readonly external_reference: string
  readonly index: number
  readonly status: ItemStatus
}

export interface BatchEvidence {
  readonly id: string
  readonly kind: string
  readonly status: BatchStatus
  readonly model: string
  readonly planned: 0 | 1
  readonly due_at: number | null
  readonly finished_at: number | null
  readonly items: number
  readonly parent_batch_id: string | null
  readonly chunks: readonly ChunkEnd[]
  readonly view: Batch
  /** Null where there is none. */
  readonly manifest: BatchManifest | null
  /** Null where they are gone. */
  readonly results: readonly ResultLine[] | null
}

const BATCHES =
  'select id, kind, status, model, planned, due_at, finished_at, items, parent_batch_id from batches'
const CHUNKS = `select batch_id, state, path, tries, items, statuses, errors, succeeded, failed, cancelled, expired, reserved_micro_usd,
  cost_micro_usd, estimate_micro_usd, input_tokens, output_tokens from batch_chunks order by chunk`

type Row = Omit<BatchEvidence, 'chunks' | 'view' | 'manifest' | 'results'>

export async function batchesOf(
  workerd: Workerd,
  tenantId: string,
  caller: Caller,
): Promise<BatchEvidence[]> {
  const rows = await inLedger<Row>(workerd, tenantId, BATCHES)
  const chunks = Map.groupBy(await inLedger<ChunkEnd>(workerd, tenantId, CHUNKS), (chunk) => chunk.batch_id)
  const all: BatchEvidence[] = []
  for (const row of rows)
    all.push({ ...row, chunks: chunks.get(row.id) ?? [], ...(await shownOf(caller, row.id)) })
  return all
}

async function shownOf({ url, authorization }: Caller, id: string) {
  const read = async (path: string) => {
    const response = await fetch(new URL(`/v1/batches/${id}${path}`, url), {
      headers: { Authorization: authorization },
    })
    const text = await response.text()
    return response.ok ? text : null
  }
  const [view, manifest, results] = [
    await read(''),
    await read('/manifest?limit=100'),
    await read('/results'),
  ]
  return {
    view: JSON.parse(view ?? 'null') as Batch,
    manifest: manifest === null ? null : (JSON.parse(manifest) as BatchManifest),
    results: results === null ? null : linesOf(results),
  }
}

const linesOf = (text: string) =>
  text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as ResultLine] : []))

const told = ['events', 'batch_pages', 'batch_chunks', 'batch_faults', 'dead_letter_outbox']

/** Tables that hold an input where none may be. */
export async function leaksIn(workerd: Workerd, tenantId: string): Promise<string[]> {
  const leaks: string[] = []
  for (const table of told) {
    const rows = await inLedger<object>(workerd, tenantId, `select * from ${table}`)
    if (rows.some((row) => JSON.stringify(row).includes(MARKER))) leaks.push(`${table} of ${tenantId}`)
  }
  return leaks
}
