/** Items of one batch out of a file, from the upload to the second webhook, and their deletion. */
import { globalAgent } from 'node:http'
import { KIND, MODEL, ndjson } from '../batching/items.ts'
import type { Caller } from '../support/gateway.ts'
import { ask } from '../support/load.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { deleteAll, sizesOf } from './deletion.ts'
import { eachOf } from './jobs.ts'
import type { Counts } from './prices.ts'
import type { Rig } from './rig.ts'
import { sum } from './sheet.ts'
import { contentBy, storedBy } from './times.ts'

const TENANT = 'batches'
const EVENTS = 2
const TIMEOUT_MS = 300_000

/** What one of so many items costs. */
export async function batchItems(rig: Rig, items: number): Promise<Counts> {
  const receiver = await startReceiver()
  try {
    const tenant = await rig.signIn(await rig.newTenant(TENANT, {}))
    await tenant.post('/v1/webhook_endpoints', { url: receiver.url })
    const work = await rig.measure(() => runBatch(tenant, receiver, items))
    const bytes = await contentBytes(rig)
    const deletion = await deleteAll(rig, TENANT, 'batches')
    if ((await contentBytes(rig)) > 0) throw new Error('Content is kept for longer than was said.')
    const kept = {
      object_storage_gb_months: storedBy(sizesOf(deletion, items)),
      r2_storage_gb_months: contentBy(bytes / items),
    }
    return sum([...eachOf([work, ...deletion.measures], items), { counts: kept, times: 1 }])
  } finally {
    receiver.stop()
  }
}

async function runBatch(tenant: Caller, receiver: Receiver, items: number): Promise<void> {
  const headers = { Authorization: tenant.authorization, 'Content-Type': 'application/x-ndjson' }
  const shot = { method: 'POST', path: '/v1/files', headers, body: ndjson(items) }
  const file = JSON.parse(await ask(tenant.url, shot, 201, globalAgent)) as { id: string }
  const order = { kind: KIND, model: MODEL, items_file_id: file.id }
  const { id } = await tenant.post<{ id: string }>('/v1/batches', order)
  await receiver.waitFor(id, EVENTS, TIMEOUT_MS)
  const { status } = await tenant.get<{ status: string }>(`/v1/batches/${id}`)
  if (status !== 'completed') throw new Error(`${id} is ${status}.`)
}

async function contentBytes({ workerd }: Rig): Promise<number> {
  const bucket = await workerd.miniflare.getR2Bucket('CONTENT', 'gateway')
  const { objects } = await bucket.list()
  return objects.reduce((sum, { size }) => sum + size, 0)
}
