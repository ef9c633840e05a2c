/** Batches as specs speak of them. */
import { randomUUID } from 'node:crypto'
import type { z } from '@hono/zod-openapi'
import { afterAll } from 'vitest'
import type {
  AnyBatchResultLine,
  BatchEstimate,
  BatchItemPage,
  BatchManifest,
  BatchReport,
} from '../../openapi/batch-contents.ts'
import type { Batch, BatchCancellation } from '../../openapi/batches.ts'
import type { BatchRequest, Kind } from '../../sdk/src/index.ts'
import type { Answer } from './client.ts'
import { expectStatus, TEXT, type Tenant } from './tenant.ts'
import { uploaded } from './uploads.ts'

/** Items to embed, named `item-0` and on. */
export const embedItems = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, at) => ({
    external_reference: `item-${at}`,
    input: { texts: [`${TEXT} Number ${at}.`] },
    ...more,
  }))

export const embedBatch = (count = 3, more: object = {}) => ({
  kind: 'embed',
  items: embedItems(count),
  ...more,
})

/** Three texts to summarize, of which the first says what goes wrong at the stand-ins of providers. */
export const markedItems = (wrong: string) =>
  [wrong, '', ''].map((marker, at) => ({
    external_reference: `item-${at}`,
    input: { text: `${marker} ${TEXT} Number ${at}.` },
  }))

export const ndjson = (items: readonly unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')

/** A file of items. */
export const uploadedItems = async (tenant: Tenant, text: string): Promise<string> =>
  (await uploaded(tenant, text, 'application/x-ndjson')).id

/** Whatever the answer. */
export const submitBatch = ({ client }: Tenant, body: object, key: string = randomUUID()): Promise<Answer> =>
  client.post('/v1/batches', body, { 'Idempotency-Key': key })

const bodyOf = async <T>(status: number, pending: Promise<Answer>) =>
  (await expectStatus(status, pending)).body as unknown as T

/** In the words of our own schemas, which know every value that there is; the SDK's leave room for more. */
const told = async <T>(answer: Promise<object>): Promise<T> => (await answer) as T

const submitted: (readonly [Tenant, string])[] = []

/** What stands still at its provider would be looked at until the end of the run. */
afterAll(() => Promise.all(submitted.map(([tenant, id]) => actOn(tenant, id, 'cancel'))))

/** An accepted batch. */
export async function submittedBatch(tenant: Tenant, body: object = embedBatch()): Promise<Batch> {
  const batch = await told<Batch>(tenant.sdk.batches.create(body as BatchRequest & { kind: Kind }))
  submitted.push([tenant, batch.id])
  return batch
}

export const batchOf = ({ sdk }: Tenant, id: string) => told<Batch>(sdk.batches.get(id))

/** The batch once it has ended. */
export const endedBatch = ({ sdk }: Tenant, id: string) =>
  told<Batch>(sdk.batches.wait(id, { timeoutMs: 60_000 }))

export const itemsOf = (tenant: Tenant, id: string, query = '') =>
  bodyOf<z.infer<typeof BatchItemPage>>(200, tenant.get(`/v1/batches/${id}/items${query}`))

export const manifestOf = (tenant: Tenant, id: string, query = '') =>
  bodyOf<BatchManifest>(200, tenant.get(`/v1/batches/${id}/manifest${query}`))

export const reportOf = ({ sdk }: Tenant, id: string) => told<BatchReport>(sdk.batches.report(id))

/** The lines of the results, as they come. */
export async function resultsOf({ sdk }: Tenant, id: string): Promise<AnyBatchResultLine[]> {
  const lines: AnyBatchResultLine[] = []
  for await (const line of sdk.batches.results(id)) lines.push(line as AnyBatchResultLine)
  return lines
}

export const estimateOf = ({ client }: Tenant, body: object) =>
  bodyOf<BatchEstimate>(200, client.post('/v1/batches/estimate', body))

/** Whatever the answer. */
export const actOn = (
  { client }: Tenant,
  id: string,
  verb: 'cancel' | 'rerun' | 'discard',
  json?: object,
  key?: string,
): Promise<Answer> =>
  client.request('POST', `/v1/batches/${id}/${verb}`, {
    ...(json && { json }),
    ...(key && { headers: { 'Idempotency-Key': key } }),
  })

export const cancelledBatch = (tenant: Tenant, id: string, key?: string) =>
  bodyOf<BatchCancellation>(200, actOn(tenant, id, 'cancel', undefined, key))

export const rerunOf = (tenant: Tenant, id: string, order: object) =>
  bodyOf<Batch>(202, actOn(tenant, id, 'rerun', order))
