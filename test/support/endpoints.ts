/** Webhook endpoints as specs speak of them. */
import type { Answer, Body } from './client.ts'
import { inLedger } from './control.ts'
import { newReceiver, type Received } from './receiver.ts'
import { expectStatus, newTenant, type Tenant } from './tenant.ts'

export const ENDPOINT_URL = 'https://hooks.acme.com/ai'

export const pathOf = (id: string, verb = '') => `/v1/webhook_endpoints/${id}${verb}`

/** Whatever the answer; nothing listens at the URL. */
export const create = (
  tenant: Tenant,
  more: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> => tenant.client.post('/v1/webhook_endpoints', { url: ENDPOINT_URL, ...more }, headers)

export const created = async (tenant: Tenant, more: object = {}): Promise<Body> =>
  (await expectStatus(201, create(tenant, more))).body

export const patch = (tenant: Tenant, id: string, change: object): Promise<Answer> =>
  tenant.client.patch(pathOf(id), change)

/** A POST to one of an endpoint's verbs; without a body unless one is given. */
export const act = (
  tenant: Tenant,
  id: string,
  verb: '/rotate_secret' | '/test' | '/enable',
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  tenant.client.request('POST', pathOf(id, verb), { ...(body && { json: body }), headers })

export const rotated = async (tenant: Tenant, id: string, body?: object): Promise<Body> =>
  (await expectStatus(200, act(tenant, id, '/rotate_secret', body))).body

export const deliveriesOf = (tenant: Tenant) =>
  inLedger<{ status: string; due_at: number | null; ordered_subject: string | null; tries: number }>(
    tenant.id,
    'select status, due_at, ordered_subject, tries from deliveries order by event_sequence',
  )

/** A tenant with one endpoint, and what comes there next when a job is accepted. */
export async function listening(more: object = {}) {
  const acme = await newTenant()
  const receiver = await newReceiver()
  const endpoint = await acme.listens(receiver, ['job.accepted'], more)
  const next = async (): Promise<Received> => {
    const count = receiver.received.length + 1
    await acme.submitted()
    const last = (await receiver.arrived(count)).at(-1)
    if (!last) throw new Error('Nothing came.')
    return last
  }
  return { acme, receiver, endpoint, next }
}
