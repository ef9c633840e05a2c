/** The feed of events as a customer reads it. */
import type { Answer } from './client.ts'
import type { WebhookEvent } from './receiver.ts'
import { expectStatus, type Tenant } from './tenant.ts'

export const eventsIn = ({ body }: Answer) => body.data as unknown as WebhookEvent[]

export const feed = (tenant: Tenant, query = '', headers: Record<string, string> = {}) =>
  tenant.get(`/v1/events?${query}`, headers)

export const events = async (tenant: Tenant, query = '') =>
  eventsIn(await expectStatus(200, feed(tenant, `limit=100&${query}`)))

/** Runs so many jobs to their end, each with two events. */
export async function runJobs(tenant: Tenant, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await tenant.ended((await tenant.submitted()).id)
}
