/** A turn of a drain: what was attempted is recorded, and what is to be attempted next handed out, in one call. */
import type { LedgerContext } from './context.ts'
import { type HandedOut, handOut, nextDelivery, nothing } from './deliveries.ts'
import { type RecordedAttempt, recordAttempts } from './delivery-records.ts'
import type { Outgoing } from './outgoing.ts'
import { subscription } from './subscriptions.ts'

export interface DrainTurn {
  readonly endpointId: string
  readonly attempts: readonly RecordedAttempt[]
  /** How many deliveries the drain takes; 0 from one whose time is up. */
  readonly slots: number
  /** How many it has under way. */
  readonly underway: number
}

export interface DrainReply extends HandedOut {
  /** With nothing handed out and nothing under way: when to ask again; null ends the drain. */
  readonly againInMs: number | null
}

/** A drain does not wait for what is due later than this. */
const LINGER_MS = 1000
const SOONEST_MS = 10

export const ended: DrainReply = { ...nothing, againInMs: null }

/** `held`: nothing goes out to this tenant's endpoints now. */
export function turnDeliveries(
  ctx: LedgerContext,
  { endpointId, attempts, slots }: DrainTurn,
  outgoing: Outgoing,
  held: boolean,
): DrainReply {
  recordAttempts(ctx, endpointId, attempts, outgoing)
  if (held || slots === 0) return ended
  const out = handOut(ctx, endpointId, slots, outgoing)
  return { ...out, againInMs: out.deliveries.length > 0 ? null : askAgainIn(ctx, endpointId, outgoing) }
}

function askAgainIn({ db, now }: LedgerContext, endpointId: string, outgoing: Outgoing): number | null {
  const endpoint = subscription(db, endpointId)
  const at = endpoint ? nextDelivery(db, endpoint, outgoing, now) : null
  if (at === null || at - now > LINGER_MS) return null
  return Math.max(SOONEST_MS, at - now)
}
