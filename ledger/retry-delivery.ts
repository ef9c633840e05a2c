/** A delivery is attempted again at its owner's word, whatever became of it. */
import type { LedgerContext } from './context.ts'
import { type DeliverySnapshot, findDelivery } from './delivery-lists.ts'
import { makeDue } from './due-again.ts'
import { firstAnswer, type RequestKey, recordKey } from './idempotency.ts'
import { sequenceOf } from './ids.ts'
import { done, type Outcome, refused } from './replies.ts'
import { subscriptions } from './subscriptions.ts'

export interface RetriedDelivery {
  readonly delivery: DeliverySnapshot
  readonly replayed: boolean
}

/** Due now, in a fresh round of the schedule. `key` is null when the caller sent no Idempotency-Key. */
export function retryDelivery(
  ctx: LedgerContext,
  id: string,
  key: RequestKey | null,
): Outcome<RetriedDelivery> {
  const first = key && firstAnswer(ctx.db, key)
  if (first && 'ok' in first) return first
  if (first) return done({ delivery: JSON.parse(first.response ?? '') as DeliverySnapshot, replayed: true })

  const found = findDelivery(ctx.db, id)
  if (!found) return noSuchDelivery()
  const endpoint = subscriptions(ctx.db).find((one) => one.id === found.endpointId)
  if (!endpoint || found.status === 'cancelled')
    return refused('not-found', 'The endpoint of this delivery has been deleted.')
  makeDue(ctx, endpoint, [sequenceOf('dlv', id) ?? -1])

  const delivery = findDelivery(ctx.db, id) ?? found
  if (key) recordKey(ctx.db, key, id, JSON.stringify(delivery), ctx.now)
  return done({ delivery, replayed: false })
}

export const noSuchDelivery = () => refused('not-found', 'There is no such delivery.')
