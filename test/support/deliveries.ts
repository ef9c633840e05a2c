/** Deliveries as customers see them, and what can be done with them. */
import type { Body } from './client.ts'
import { inLedger } from './control.ts'
import type { Received } from './receiver.ts'
import { expectStatus, type Tenant } from './tenant.ts'
import { until } from './wait.ts'

export interface DeliveryBody {
  readonly id: string
  readonly object: string
  readonly event_id: string
  readonly event_type: string
  readonly endpoint_id: string
  readonly status: string
  readonly attempts: { at: string; status_code: number | null; error: string | null }[]
  readonly next_attempt_at: string | null
  readonly created_at: string
}

const asDelivery = (body: Body) => body as unknown as DeliveryBody

/** A page of deliveries, newest first. */
export const deliveriesOf = async ({ client }: Tenant, query = ''): Promise<DeliveryBody[]> =>
  (await expectStatus(200, client.get(`/v1/deliveries?${query}`))).body.data.map(asDelivery)

export const deliveryOf = async ({ client }: Tenant, id: string): Promise<DeliveryBody> =>
  asDelivery((await expectStatus(200, client.get(`/v1/deliveries/${id}`))).body)

/** The delivery once it has this status, after this many attempts. */
export const deliveryReached = (tenant: Tenant, id: string, status: string, attempts: number) =>
  until(`delivery ${id} is ${status} after ${attempts} attempts`, async () => {
    const delivery = await deliveryOf(tenant, id)
    return delivery.status === status && delivery.attempts.length === attempts && delivery
  })

/** All of a tenant's deliveries once there are this many, each of this status. */
export const deliveriesReached = (tenant: Tenant, status: string, count: number, query = '') =>
  until(`${count} deliveries are ${status}`, async () => {
    const found = await deliveriesOf(tenant, `limit=100&${query}`)
    return found.length === count && found.every((one) => one.status === status) && found
  })

/** The one delivery of the tenant, once it has been made. */
export const onlyDelivered = (tenant: Tenant) =>
  until('it is delivered', async () => {
    const [found, ...others] = await deliveriesOf(tenant)
    return found?.status === 'delivered' && others.length === 0 && found
  })

/** The one delivery of the tenant after two failures, as it stays for five minutes. */
export const afterTwoAttempts = (tenant: Tenant) =>
  until('two attempts are on record', async () => {
    const [found] = await deliveriesOf(tenant)
    return found?.attempts.length === 2 && found
  })

/** What a schedule of three days would come to. */
export const setStatus = (tenant: Tenant, id: string, status: 'failed' | 'held') =>
  inLedger(tenant.id, 'update deliveries set status = ?, due_at = null where id = ?', status, id)

export const retry = ({ client }: Tenant, id: string, headers: Record<string, string> = {}) =>
  client.request('POST', `/v1/deliveries/${id}/retry`, { headers })

/** Whatever the answer. */
export const replay = (
  { client }: Tenant,
  endpointId: string,
  range: object,
  headers: Record<string, string> = {},
) => client.post(`/v1/webhook_endpoints/${endpointId}/replay`, range, headers)

export const headersOf = ({ headers }: Received) => headers as Record<string, string>
