/** What a tenant hands in, and the proof that none of it was lost, doubled or left hanging. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Caller } from '../../bench/support/gateway.ts'
import type { Received } from '../support/receiver.ts'
import { verifiesBy } from '../support/signatures.ts'
import { until } from '../support/wait.ts'
import { type Hooks, listen } from './hooks.ts'
import { type Order, ordersOf } from './orders.ts'
import type { MixedStack } from './stack.ts'

interface Ended {
  readonly id: string
  readonly status: string
  readonly terminal: boolean
  readonly error?: { readonly class: string } | null
}

interface Event {
  readonly type: string
  readonly data: { readonly id: string }
}

export interface Work {
  readonly tenantId: string
  readonly caller: Caller
  readonly secret: string
  readonly hooks: Hooks
  /** By the IDs of the jobs and batches. */
  readonly orders: ReadonlyMap<string, Order>
}

/** A new tenant, who listens, and has handed in everything, these orders before. */
export async function begin(stack: MixedStack, before: readonly Order[] = []): Promise<Work> {
  const tenantId = `r-${randomUUID()}`
  const [caller, hooks] = await Promise.all([stack.newTenant(tenantId), listen()])
  const { secret } = await caller.post<{ secret: string }>('/v1/webhook_endpoints', { url: hooks.url })
  const orders = new Map<string, Order>()
  for (const order of [...before, ...(await ordersOf(caller))]) {
    const { id } = await caller.post<{ id: string }>(order.path, order.body)
    orders.set(id, order)
  }
  return { tenantId, caller, secret, hooks, orders }
}

/** Everything has ended as it should, was told once, and delivered. */
export async function endsWell({ operator }: MixedStack, work: Work): Promise<void> {
  const { tenantId, caller, hooks } = work
  await Promise.all(Array.from(work.orders, ([id, order]) => endsAs(caller, id, order)))
  expect(await toldIn(caller)).toEqual(dueEvents(work))
  await until(`every webhook of ${tenantId} has arrived`, () => hooks.received.size >= dueEvents(work).length)
  expect(Array.from(hooks.received.values(), namesOf).toSorted()).toEqual(dueEvents(work))
  expect(Array.from(hooks.received.values()).every((one) => verifiesBy(work.secret, one))).toBe(true)
  await until('the dead letters are in the directory', async () => {
    const { data } = await operator.get<{ data: { class: string }[] }>(
      `/ops/v1/dead_letters?tenant_id=${tenantId}`,
    )
    return data.some((letter) => letter.class === 'permission_denied')
  })
}

async function endsAs(caller: Caller, id: string, { path, status, error }: Order): Promise<void> {
  const ended = await until(`${id} has ended`, async () => {
    const one = await caller.get<Ended>(`${path}/${id}`)
    return one.terminal && one
  })
  expect([ended.status, ended.error?.class]).toEqual([status, error])
  if (status === 'succeeded') await caller.get(`${path}/${id}/result`)
  if (path === '/v1/batches') expect(await linesOf(caller, id)).toBeGreaterThan(3)
}

async function linesOf({ url, authorization }: Caller, id: string): Promise<number> {
  const headers = { Authorization: authorization }
  const response = await fetch(new URL(`/v1/batches/${id}/results`, url), { headers })
  return (await response.text()).trim().split('\n').length
}

const accepted = { '/v1/jobs': 'job.accepted', '/v1/batches': 'batch.accepted' }

const dueEvents = ({ orders }: Work): string[] =>
  Array.from(orders, ([id, { path, event }]) => [`${id} ${accepted[path]}`, `${id} ${event}`])
    .flat()
    .toSorted()

const namesOf = ({ event }: Received) => `${event.data.id} ${event.type}`

/** Of the feed, which holds every event once. */
async function toldIn(caller: Caller): Promise<string[]> {
  const { data } = await caller.get<{ data: Event[] }>('/v1/events?limit=100')
  return data.map(({ type, data: { id } }) => `${id} ${type}`).toSorted()
}
