/** Webhook endpoints as the API shows them. */
import type { EndpointRow } from '../../ledger/endpoints.ts'
import { timestamp } from '../../ledger/wire.ts'
import { WebhookEndpoint } from '../../openapi/webhooks.ts'

export const endpointView = (row: EndpointRow): WebhookEndpoint =>
  WebhookEndpoint.parse({
    id: row.id,
    object: 'webhook_endpoint',
    url: row.url,
    event_types: row.eventTypes,
    description: row.description,
    status: row.status,
    disabled_reason: row.disabledReason,
    signing: row.signing,
    public_keys: [],
    ordered: row.ordered,
    max_per_second: row.maxPerSecond,
    headers: row.headerNames,
    metadata: row.metadata,
    created_at: timestamp(row.createdAt),
  })
