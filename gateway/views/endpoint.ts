/** Webhook endpoints and their public keys as the API shows them. */
import type { z } from '@hono/zod-openapi'
import type { EndpointSnapshot } from '../../ledger/endpoints.ts'
import type { PublicKey } from '../../ledger/signing-keys.ts'
import { nullableTimestamp, timestamp } from '../../ledger/wire.ts'
import type { SigningKeyView, WebhookEndpoint } from '../../openapi/webhook-endpoints.ts'

export const endpointView = (row: EndpointSnapshot): WebhookEndpoint => ({
  id: row.id,
  object: 'webhook_endpoint',
  url: row.url,
  event_types: row.eventTypes,
  description: row.description,
  status: row.status,
  disabled_reason: row.disabledReason,
  signing: row.signing,
  public_keys: row.publicKeys,
  ordered: row.ordered,
  max_per_second: row.maxPerSecond,
  headers: row.headerNames,
  metadata: row.metadata,
  created_at: timestamp(row.createdAt),
})

export const signingKeyView = (key: PublicKey): z.infer<typeof SigningKeyView> => ({
  id: key.id,
  object: 'webhook_signing_key',
  endpoint_id: key.endpointId,
  algorithm: 'ed25519',
  public_key: key.publicKey,
  created_at: timestamp(key.createdAt),
  expires_at: nullableTimestamp(key.expiresAt),
})
