/** Enabling and disabling webhook endpoints. */
import { eq } from 'drizzle-orm'
import type { DisabledReason } from '../openapi/webhooks.ts'
import type { LedgerContext } from './context.ts'
import { holdDue, sendHeld } from './endpoint-deliveries.ts'
import { type EndpointSnapshot, findEndpoint, noSuchEndpoint, readEndpoint } from './endpoints.ts'
import { type Answered, type Call, once } from './idempotency.ts'
import type { Outcome } from './replies.ts'
import { webhookEndpoints } from './schema.ts'
import { subscriptionsChanged } from './subscriptions.ts'
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
  db.update(webhookEndpoints)
    .set({ status: 'enabled', disabledReason: null, health: healthy })
    .where(eq(webhookEndpoints.id, endpointId))
    .run()
  subscriptionsChanged(db)
  if (withHeld) sendHeld(db, endpointId, now)
}

/** Stops deliveries to an endpoint; what was still to be delivered is held, not dropped. */
export function disableEndpoint({ db }: LedgerContext, id: string, reason: DisabledReason): void {
  db.update(webhookEndpoints)
    .set({ status: 'disabled', disabledReason: reason })
    .where(eq(webhookEndpoints.id, id))
    .run()
  subscriptionsChanged(db)
  holdDue(db, id)
}
