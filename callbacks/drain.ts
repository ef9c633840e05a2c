/** Drains one endpoint's due deliveries: claim some, attempt them side by side, record them, until none is due or time is up. */
import type { LedgerStub } from '../ledger/call.ts'
import { withFreshStub } from '../ledger/call.ts'
import type { DeliveryClaim, RecordedAttempt } from '../ledger/deliveries.ts'
import { randomBytes } from '../ledger/ids.ts'
import { log } from '../ledger/log.ts'
import { deliver, unsent } from '../ledger/webhooks/deliver.ts'
import type { ExchangeParts } from '../ledger/webhooks/exchange.ts'
import { openRecipient } from '../ledger/webhooks/recipient.ts'
import type { Settings } from './settings.ts'

/** Connections that may wait for headers at once; an invocation has six, and the ledger needs one. */
const CONCURRENT = 4
/** A last round of 15 s still fits the 30 s that the platform gives to background work. */
const NO_NEW_ROUND_AFTER_MS = 12_000

export async function drain(
  tenantId: string,
  endpointId: string,
  stub: () => LedgerStub,
  settings: Settings,
  parts: ExchangeParts,
): Promise<void> {
  const startedAt = parts.now()
  while (parts.now() - startedAt < NO_NEW_ROUND_AFTER_MS) {
    const claim = await withFreshStub(stub, (ledger) => ledger.claimDeliveries(endpointId, CONCURRENT))
    if (!claim || claim.deliveries.length === 0) break
    const attempts = await attemptAll(claim, settings, parts)
    await withFreshStub(stub, (ledger) => ledger.recordAttempts(endpointId, attempts))
    for (const attempt of attempts) tell(tenantId, endpointId, attempt)
  }
  await withFreshStub(stub, (ledger) => ledger.drained(endpointId))
}

async function attemptAll(
  { recipient: sealed, deliveries }: DeliveryClaim,
  { guard, keyEncryptionKeys }: Settings,
  exchangeParts: ExchangeParts,
) {
  const recipient = await openRecipient(keyEncryptionKeys, sealed).catch(() => null)
  const parts = { ...exchangeParts, guard, randomBytes }
  return Promise.all(
    deliveries.map(
      async (delivery): Promise<RecordedAttempt> => ({
        eventSequence: delivery.eventSequence,
        // A fault of ours, on record where the customer looks: nothing is ever sent unsigned.
        ...(recipient === null
          ? unsent(parts.now(), 'signing_key_unavailable')
          : await deliver(recipient, delivery, parts)),
      }),
    ),
  )
}

const tell = (tenantId: string, endpointId: string, { attempt }: RecordedAttempt) => {
  const { status_code, error, latency_ms } = attempt
  log('webhook.attempted', { tenant_id: tenantId, endpoint_id: endpointId, status_code, error, latency_ms })
}
