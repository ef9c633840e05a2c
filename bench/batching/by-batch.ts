/** All items in one batch: a file goes in, one stream of results in input order comes out, and the report says that all is well. */
import { globalAgent } from 'node:http'
import { createInterface } from 'node:readline'
import type { BatchManifest, BatchReport } from '../../openapi/batch-contents.ts'
import type { Batch } from '../../openapi/batches.ts'
import type { Caller } from '../support/gateway.ts'
import { ask, exchange } from '../support/load.ts'
import { follow } from './feed.ts'
import { KIND, MODEL, ndjson, Results, referenceOf } from './items.ts'

const ENDS = ['batch.result_available', 'batch.failed', 'batch.expired', 'batch.cancelled']

export interface Batched {
  readonly results: Results
  readonly chunks: number
}

export async function embedByBatch(tenant: Caller, items: number): Promise<Batched> {
  const file = await upload(tenant, ndjson(items))
  const { id } = await tenant.post<Batch>('/v1/batches', { kind: KIND, model: MODEL, items_file_id: file })
  await ended(tenant, id)
  const results = await readResults(tenant, id)
  await checkEnd(tenant, id, items)
  const { chunks } = await tenant.get<BatchManifest>(`/v1/batches/${id}/manifest?limit=1`)
  return { results, chunks: chunks.length }
}

async function upload({ url, authorization }: Caller, body: string): Promise<string> {
  const headers = { Authorization: authorization, 'Content-Type': 'application/x-ndjson' }
  const answer = await ask(url, { method: 'POST', path: '/v1/files', headers, body }, 201, globalAgent)
  return (JSON.parse(answer) as { id: string }).id
}

async function ended(tenant: Caller, id: string): Promise<void> {
  for await (const events of follow(tenant, ENDS, globalAgent))
    if (events.some(({ data }) => data.id === id)) return
}

interface Line {
  readonly external_reference: string
  readonly index: number
  readonly output?: unknown
}

async function readResults({ url, authorization }: Caller, id: string): Promise<Results> {
  const headers = { Authorization: authorization }
  const shot = { method: 'GET', path: `/v1/batches/${id}/results`, headers, body: '' }
  const results = new Results()
  for await (const text of createInterface(await exchange(url, shot, 200, globalAgent))) {
    const { external_reference: reference, index, output } = JSON.parse(text) as Line
    if (index !== results.count || reference !== referenceOf(index))
      throw new Error(`The results are not in input order: ${reference} at ${results.count}.`)
    results.add(reference, output)
  }
  return results
}

async function checkEnd(tenant: Caller, id: string, items: number): Promise<void> {
  const { status, counts } = await tenant.get<Batch>(`/v1/batches/${id}`)
  const { checks } = await tenant.get<BatchReport>(`/v1/batches/${id}/report`)
  const failed = checks.filter(({ passed }) => !passed).map(({ name }) => name)
  if (status !== 'completed' || counts.total !== items || counts.succeeded !== items)
    throw new Error(`${id} is ${status}: ${JSON.stringify(counts)}.`)
  if (checks.length === 0 || failed.length > 0) throw new Error(`${id} failed its checks: ${failed}.`)
}
