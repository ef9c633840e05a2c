/** What became of attempts: recorded with their deliveries, which are scheduled anew or have ended, and counted for the endpoint. */
import { and, eq, sql } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import { noteAttempts } from './endpoint-standing.ts'
import { timeOf } from './ids.ts'
import type { Outgoing } from './outgoing.ts'
import { deliveries } from './schema.ts'
import { arg, rowOf, statement } from './store.ts'
import { type Subscription, subscription } from './subscriptions.ts'
import type { Exchanged } from './webhooks/exchange.ts'
import { nextDeliveryDelay } from './webhooks/schedule.ts'

export interface RecordedAttempt extends Exchanged {
  readonly eventSequence: number
}

/** Attempts that a delivery shows: the last ones, where it was replayed again and again. */
const ATTEMPTS_KEPT = 25

/** A turn that is repeated, since its reply was lost, records nothing twice. */
export function recordAttempts(
  ctx: LedgerContext,
  endpointId: string,
  attempts: readonly RecordedAttempt[],
  outgoing: Outgoing,
): void {
  const endpoint = subscription(ctx.db, endpointId)
  const fresh = attempts.filter((attempt) => record(ctx, endpointId, endpoint, attempt))
  for (const { eventSequence } of attempts) outgoing.ended(endpointId, eventSequence)
  if (endpoint && fresh.length > 0) noteAttempts(ctx, endpoint, fresh)
}

const one = and(
  eq(deliveries.eventSequence, arg('eventSequence')),
  eq(deliveries.endpointId, arg('endpointId')),
)
const selectOne = statement((db) => db.select().from(deliveries).where(one).prepare())
const { attempts, status, dueAt, tries } = rowOf(deliveries)
const updateOne = statement((db) =>
  db
    .update(deliveries)
    .set({
      attempts: sql`${sql.param(attempts, deliveries.attempts)}`,
      status: sql`${status}`,
      dueAt: sql`${dueAt}`,
      tries: sql`${tries}`,
    })
    .where(one)
    .prepare(),
)

type DeliveryRow = typeof deliveries.$inferSelect

/** Whether it was new. */
function record(
  ctx: LedgerContext,
  endpointId: string,
  endpoint: Subscription | undefined,
  exchanged: RecordedAttempt,
): boolean {
  const { eventSequence, attempt } = exchanged
  const row = selectOne(ctx.db).get({ eventSequence, endpointId })
  if (!row || row.attempts.some(({ at }) => at === attempt.at)) return false
  const attempts = [...row.attempts, attempt].slice(-ATTEMPTS_KEPT)
  updateOne(ctx.db).run({ ...row, attempts, ...whatFollows(ctx, row, endpoint, exchanged) })
  // The ID tells when the delivery was made: with its event, or, where there had been none, by a replay.
  const firstAfterMs = row.attempts.length === 0 ? attempt.at - timeOf(row.id) : null
  ctx.tally.attempts.push({ outcome: attempt.error ?? 'delivered', firstAfterMs })
  return true
}

/** A delivery that has ended, or was held, while the attempt was under way stays so, but for one that got through after all. */
function whatFollows(
  { now, random }: LedgerContext,
  row: DeliveryRow,
  endpoint: Subscription | undefined,
  { attempt, retryAfterMs }: Exchanged,
): Partial<DeliveryRow> {
  if (row.status === 'cancelled') return {}
  if (attempt.error === null) return { status: 'delivered', dueAt: null }
  if (row.status !== 'pending') return {}
  const tries = row.tries + 1
  if (endpoint?.status !== 'enabled') return { status: 'held', dueAt: null, tries }
  const delay = nextDeliveryDelay(tries, random)
  if (delay === null) return { status: 'failed', dueAt: null, tries }
  return { dueAt: now + Math.max(delay, retryAfterMs ?? 0), tries }
}
