/** What attempts mean for their endpoint: it is slowed, its owner is warned, it is disabled. */
import type { LedgerContext } from './context.ts'
import { disableEndpoint, tellOfEndpoint } from './endpoint-status.ts'
import { changeEndpoint } from './endpoints.ts'
import type { Subscription } from './subscriptions.ts'
import type { Exchanged } from './webhooks/exchange.ts'
import { afterAttempt, calledFor, withoutPause } from './webhooks/health.ts'
import { isOurFault } from './webhooks/outcome.ts'

const GONE = 410

/**
 * Counts attempts for the endpoint's health, and draws the consequences, which a disabled endpoint has had. Faults of ours say nothing, nor
 * does what began before the endpoint became what it is.
 */
export function noteAttempts(
  ctx: LedgerContext,
  { id, status, health: before }: Subscription,
  attempts: readonly Exchanged[],
): void {
  const telling = attempts.filter(({ attempt }) => attempt.at >= before.since && !isOurFault(attempt.error))
  const health = telling.reduce((known, one) => afterAttempt(known, one, ctx.now), before)
  if (health === before) return
  const call = status === 'enabled' ? calledFor(health, ctx.now) : 'nothing'
  changeEndpoint(ctx.db, id, { health: call === 'warn' ? { ...health, warnedAt: ctx.now } : health })
  const lastError = telling.findLast(({ attempt }) => attempt.error !== null)?.attempt.error ?? null
  if (status === 'enabled' && telling.some(isGone)) disableEndpoint(ctx, id, 'gone', lastError)
  else if (call === 'disable') disableEndpoint(ctx, id, 'failing', lastError)
  else if (call === 'warn') tellOfEndpoint(ctx, id, 'webhook_endpoint.failing', lastError)
}

const isGone = ({ attempt }: Exchanged) => attempt.status_code === GONE

/** Someone who may know better wants deliveries made at once. */
export function endPause({ db }: LedgerContext, { id, health }: Subscription): void {
  const unpaused = withoutPause(health)
  if (unpaused !== health) changeEndpoint(db, id, { health: unpaused })
}
