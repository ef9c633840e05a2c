/** A delivery is attempted again at its owner's word, whatever became of it. */
import type { LedgerContext } from './context.ts'
import { type DeliverySnapshot, findDelivery } from './delivery-lists.ts'
import { makeDue } from './due-again.ts'
import { type Answered, type Call, once } from './idempotency.ts'
import { sequenceOf } from './ids.ts'
import { done, type Outcome, refused } from './replies.ts'
import { subscription } from './subscriptions.ts'

/** Due now, in a fresh round of the schedule. */
export const retryDelivery = (
  ctx: LedgerContext,
  call: Call,
  id: string,
): Outcome<Answered<DeliverySnapshot>> => once(ctx, call, () => retry(ctx, id))

function retry(ctx: LedgerContext, id: string): Outcome<DeliverySnapshot> {
  const [found, sequence] = [findDelivery(ctx.db, id), sequenceOf('dlv', id)]
  if (!found || sequence === null) return noSuchDelivery()
  const endpoint = subscription(ctx.db, found.endpointId)
  if (!endpoint || found.status === 'cancelled')
    return refused('not-found', 'The endpoint of this delivery has been deleted.')
  makeDue(ctx, endpoint, [sequence])
  return done(findDelivery(ctx.db, id) ?? found)
}

export const noSuchDelivery = () => refused('not-found', 'There is no such delivery.')
