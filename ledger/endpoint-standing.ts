/** What attempts mean for their endpoint: it is slowed, its owner is warned, it is disabled. */
import type { LedgerContext } from './context.ts'
import { disableEndpoint, tellOfEndpoint } from './endpoint-status.ts'
import { changeEndpoint } from './endpoints.ts'
import type { Subscription } from './subscriptions.ts'
import type { Exchanged } from './webhooks/exchange.ts'
import { afterAttempt, calledFor, withoutPause } from './webhooks/health.ts'
import { isOurFault } from './webhooks/outcome.ts'

const GONE = 410

/** Counts attempts for the endpoint's health, and draws the consequences. A disabled endpoint has had them; faults of ours say nothing. */
export function noteAttempts(
  ctx: LedgerContext,
  { id, status, health: before }: Subscription,
  attempts: readonly Exchanged[],
): void {
  if (status === 'disabled') return
  const telling = attempts.filter(({ attempt }) => !isOurFault(attempt.error))
  const health = telling.reduce((known, one) => afterAttempt(known, one, ctx.now), before)
  if (health === before) return
  const call = calledFor(health, ctx.now)
  changeEndpoint(ctx.db, id, { health: call === 'warn' ? { ...health, warnedAt: ctx.now } : health })
  const lastError = telling.findLast(({ attempt }) => attempt.error !== null)?.attempt.error ?? null
  if (telling.some(({ attempt }) => attempt.status_code === GONE)) disableEndpoint(ctx, id, 'gone', lastError)
  else if (call === 'disable') disableEndpoint(ctx, id, 'failing', lastError)
  else if (call === 'warn') tellOfEndpoint(ctx, id, 'webhook_endpoint.failing', lastError)
}

/** Someone who may know better wants deliveries made at once. */
export function endPause({ db }: LedgerContext, { id, health }: Subscription): void {
  const unpaused = withoutPause(health)
  if (unpaused !== health) changeEndpoint(db, id, { health: unpaused })
}
