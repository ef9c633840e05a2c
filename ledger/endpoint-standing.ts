/** What attempts mean for their endpoint: it is slowed, its owner is warned, it is disabled. */
import { and, eq, isNotNull } from 'drizzle-orm'
import type { DisabledReason } from '../openapi/webhooks.ts'
import type { LedgerContext } from './context.ts'
import { appendEndpointEvent } from './events.ts'
import { deliveries, webhookEndpoints } from './schema.ts'
import type { Db } from './store.ts'
import { type Subscription, subscription, subscriptionsChanged } from './subscriptions.ts'
import type { Exchanged } from './webhooks/exchange.ts'
import { afterAttempt, calledFor, withoutPause } from './webhooks/health.ts'

const GONE = 410

/** Counts attempts for the endpoint's health, and draws the consequences. A disabled endpoint has had them. */
export function noteAttempts(
  ctx: LedgerContext,
  endpoint: Subscription,
  attempts: readonly Exchanged[],
): void {
  if (endpoint.status === 'disabled') return
  const health = attempts.reduce((before, one) => afterAttempt(before, one, ctx.now), endpoint.health)
  if (health === endpoint.health) return
  changeEndpoint(ctx.db, endpoint.id, { health })
  const lastError = attempts.findLast(({ attempt }) => attempt.error !== null)?.attempt.error ?? null
  const call = calledFor(health, ctx.now)
  if (attempts.some(({ attempt }) => attempt.status_code === GONE))
    disableEndpoint(ctx, endpoint.id, 'gone', lastError)
  else if (call === 'disable') disableEndpoint(ctx, endpoint.id, 'failing', lastError)
  else if (call === 'warn') warn(ctx, endpoint.id, lastError)
}

function warn(ctx: LedgerContext, id: string, lastError: string | null): void {
  const endpoint = subscription(ctx.db, id)
  if (!endpoint) return
  changeEndpoint(ctx.db, id, { health: { ...endpoint.health, warnedAt: ctx.now } })
  tell(ctx, id, 'webhook_endpoint.failing', lastError)
}

/** Stops deliveries to an endpoint; what was still to be delivered is held, not dropped, and the tenant's other endpoints are told. */
export function disableEndpoint(
  ctx: LedgerContext,
  id: string,
  reason: DisabledReason,
  lastError: string | null = null,
): void {
  changeEndpoint(ctx.db, id, { status: 'disabled', disabledReason: reason })
  ctx.db
    .update(deliveries)
    .set({ status: 'held', dueAt: null })
    .where(and(eq(deliveries.endpointId, id), isNotNull(deliveries.dueAt)))
    .run()
  tell(ctx, id, 'webhook_endpoint.disabled', lastError)
}

function tell(
  ctx: LedgerContext,
  id: string,
  type: 'webhook_endpoint.failing' | 'webhook_endpoint.disabled',
  lastError: string | null,
): void {
  const endpoint = subscription(ctx.db, id)
  if (!endpoint) return
  const sequence = endpoint.sequence + 1
  changeEndpoint(ctx.db, id, { sequence })
  appendEndpointEvent(ctx, { ...endpoint, sequence }, type, lastError)
}

/** Someone who may know better wants deliveries made at once. */
export function endPause({ db }: LedgerContext, endpoint: Subscription): void {
  const health = withoutPause(endpoint.health)
  if (health !== endpoint.health) changeEndpoint(db, endpoint.id, { health })
}

/** The one place that changes an endpoint's row. */
export function changeEndpoint(db: Db, id: string, change: Partial<Subscription>): void {
  db.update(webhookEndpoints).set(change).where(eq(webhookEndpoints.id, id)).run()
  subscriptionsChanged(db)
}
