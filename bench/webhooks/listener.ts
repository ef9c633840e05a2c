/** An endpoint of a tenant, with what it takes to verify what comes there. */
import type { Caller } from '../support/gateway.ts'

export interface Listener {
  readonly tenantId: string
  readonly endpointId: string
  readonly path: string
  readonly secret: string
}

/** Registers an endpoint of the tenant called `tenantId`. */
export async function listen(
  tenant: Caller,
  tenantId: string,
  url: string,
  eventTypes: readonly string[],
): Promise<Listener> {
  const { id, secret } = await tenant.post<{ id: string; secret: string }>('/v1/webhook_endpoints', {
    url,
    event_types: eventTypes,
  })
  return { tenantId, endpointId: id, path: new URL(url).pathname, secret }
}
