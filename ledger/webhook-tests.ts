/** Test webhooks, which the gateway sends itself: nothing of them is kept here but the call's key. */
import type { LedgerContext } from './context.ts'
import { findEndpoint, noSuchEndpoint, recipientOf } from './endpoints.ts'
import { type Begun, beginCall } from './held-keys.ts'
import type { Call } from './idempotency.ts'
import { done, type Outcome } from './replies.ts'
import type { SealedRecipient } from './webhooks/recipient.ts'

/** A disabled endpoint is tested like any other: that is how its owner finds out whether to enable it. */
export function beginTest(
  ctx: LedgerContext,
  call: Call,
  endpointId: string,
): Outcome<Begun<SealedRecipient>> {
  return beginCall(ctx, call, () => {
    const endpoint = findEndpoint(ctx.db, endpointId)
    return endpoint ? done(recipientOf(endpoint, ctx.now)) : noSuchEndpoint
  })
}
