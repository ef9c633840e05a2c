/** Test webhooks, which the gateway sends itself: nothing of them is kept here but the call's key. */
import type { LedgerContext } from './context.ts'
import { readRecipient } from './endpoints.ts'
import { type Begun, beginCall } from './held-keys.ts'
import type { Call } from './idempotency.ts'
import type { Outcome } from './replies.ts'
import type { SealedRecipient } from './webhooks/recipient.ts'

export const beginTest = (
  ctx: LedgerContext,
  call: Call,
  endpointId: string,
): Outcome<Begun<SealedRecipient>> => beginCall(ctx, call, () => readRecipient(ctx.db, endpointId, ctx.now))
