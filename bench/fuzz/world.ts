/** Two tenants with something of each kind, and an operator: what the paths of requests lead to. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Caller, newTenant } from '../support/gateway.ts'
import type { Audience } from './operations.ts'

/** For each path parameter what may stand there: of the tenant's own, for the most part, and somebody else's. */
export type Slots = Readonly<Record<string, readonly string[]>>

export interface World {
  readonly callers: Record<Audience, Caller>
  readonly slots: Slots
}

const plan = {
  requests_per_minute: 1_000_000,
  jobs_per_minute: 1_000_000,
  max_backlog: 1_000_000,
  max_open_batches: 1000,
  max_webhook_endpoints: 500,
  max_running: 50,
  test_models: true,
}
const TEXT = 'All human beings are born free and equal in dignity and rights. Everyone has the right to life.'
/** A receiver that nobody runs. */
export const NOWHERE = 'http://127.0.0.1:9/hooks'
const DEAD_LETTER_POLLS = 100

export async function newWorld(operator: Caller): Promise<World> {
  const [mine, other] = [`fuzz-${randomUUID()}`, `other-${randomUUID()}`]
  const tenant = await newTenant(operator, mine, plan)
  const foreigner = await newTenant(operator, other, plan)
  const own = await belongings(tenant)
  const foreign = await belongings(foreigner)
  const slots = Object.fromEntries(
    Object.entries(own).map(([name, ids]) => [name, [...ids, ...ids, ...ids, ...(foreign[name] ?? [])]]),
  )
  const dead_letter_id = await deadLetters(operator, mine)
  return {
    callers: { tenant, operator },
    slots: { ...slots, dead_letter_id, tenant_id: [other] },
  }
}

async function belongings(tenant: Caller): Promise<Slots> {
  const id = async (path: string, body: object) => (await tenant.post<{ id: string }>(path, body)).id
  const job = { kind: 'summarize', input: { text: TEXT } }
  const item = { external_reference: randomUUID(), input: { text: TEXT } }
  const batch = { kind: 'summarize', items: [item] }
  const endpoint = { url: NOWHERE }
  const endpoints = [await id('/v1/webhook_endpoints', endpoint)]
  const jobs = [
    await id('/v1/jobs', job),
    await id('/v1/jobs', { ...job, model: 'test/hangs' }),
    await id('/v1/jobs', { ...job, model: 'test/permission-denied' }),
  ]
  const batches = [await id('/v1/batches', batch), await id('/v1/batches', { ...batch, on_duplicate: 'run' })]
  const file = await fetch(new URL('/v1/files', tenant.url), {
    method: 'POST',
    headers: { Authorization: tenant.authorization, 'Content-Type': 'text/plain' },
    body: TEXT,
  })
  const { id: fileId } = (await file.json()) as { id: string }
  const { data } = await tenant.get<{ data: { id: string }[] }>('/v1/deliveries')
  const deliveries = data.map((delivery) => delivery.id)
  return {
    job_id: jobs,
    batch_id: batches,
    file_id: [fileId],
    endpoint_id: endpoints,
    delivery_id: deliveries,
  }
}

/** The jobs that their model refused leave one each. */
async function deadLetters(operator: Caller, tenantId: string): Promise<string[]> {
  for (let polls = 0; polls < DEAD_LETTER_POLLS; polls++, await sleep(100)) {
    const path = `/ops/v1/dead_letters?tenant_id=${tenantId}`
    const { data } = await operator.get<{ data: { id: string }[] }>(path)
    if (data.length > 0) return data.map((letter) => letter.id)
  }
  throw new Error('No dead letter came.')
}
