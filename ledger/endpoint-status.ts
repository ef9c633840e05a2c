/** Enabling and disabling webhook endpoints. */
import type { DisabledReason } from '../openapi/webhooks.ts'
import type { LedgerContext } from './context.ts'
import { holdDue, sendHeld } from './endpoint-deliveries.ts'
import {
  changeEndpoint,
  type EndpointSnapshot,
  findEndpoint,
  noSuchEndpoint,
  readEndpoint,
} from './endpoints.ts'
import { appendEndpointEvent } from './events.ts'
import { type Answered, type Call, once } from './idempotency.ts'
import type { Outcome } from './replies.ts'
import { healthy } from './webhooks/health.ts'

/** An endpoint that is enabled already is taken for healthy again, whatever was known of it. */
export function enableEndpoint(
  ctx: LedgerContext,
  call: Call,
  endpointId: string,
  withHeld: boolean,
): Outcome<Answered<EndpointSnapshot>> {
  return once(ctx, call, () => {
    if (!findEndpoint(ctx.db, endpointId)) return noSuchEndpoint
    enable(ctx, endpointId, withHeld)
    return readEndpoint(ctx.db, endpointId, ctx.now)
  })
}

/** `withHeld`: what was held is due now; else it stays held, to be seen and replayed. */
export function enable({ db, now }: LedgerContext, endpointId: string, withHeld: boolean): void {
  changeEndpoint(db, endpointId, {
    status: 'enabled',
    disabledReason: null,
    health: { ...healthy, since: now },
  })
  if (withHeld) sendHeld(db, endpointId, now)
}

/**
 * Stops deliveries to an endpoint; what was still to be delivered is held, not dropped, and the tenant's other endpoints are told.
 * `lastError` as in the attempt that brought it about; null where none did.
 */
export function disableEndpoint(
  ctx: LedgerContext,
  id: string,
  reason: DisabledReason,
  lastError: string | null = null,
): void {
  changeEndpoint(ctx.db, id, { status: 'disabled', disabledReason: reason })
  holdDue(ctx.db, id)
  tellOfEndpoint(ctx, id, 'webhook_endpoint.disabled', lastError)
}

/** Tells the tenant's other endpoints about this one. */
export function tellOfEndpoint(
  ctx: LedgerContext,
  id: string,
  type: 'webhook_endpoint.failing' | 'webhook_endpoint.disabled',
  lastError: string | null,
): void {
  const endpoint = findEndpoint(ctx.db, id)
  if (!endpoint) return
  const sequence = endpoint.sequence + 1
  changeEndpoint(ctx.db, id, { sequence })
  appendEndpointEvent(ctx, { ...endpoint, sequence }, type, lastError)
}
