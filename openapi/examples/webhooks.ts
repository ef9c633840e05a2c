import type { Delivery, DeliveryPage, Replay, ReplayRequest } from '../deliveries.ts'
import type {
  Enabling,
  SecretRotation,
  SigningKeyPage,
  TestResult,
  WebhookEndpoint,
  WebhookEndpointPage,
  WebhookEndpointPatch,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret,
} from '../webhook-endpoints.ts'
import { type Examples, ids, lastPage, times } from './example.ts'

const PUBLIC_KEY = 'whpk_ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c/g='
const URL = 'https://app.customer.example/hooks/ai'

const endpoint: WebhookEndpoint = {
  id: ids.endpoint,
  object: 'webhook_endpoint',
  url: URL,
  event_types: ['job.result_available', 'job.failed', 'batch.*'],
  description: 'Orders',
  status: 'enabled',
  disabled_reason: null,
  signing: 'both',
  public_keys: [PUBLIC_KEY],
  ordered: false,
  max_per_second: 20,
  headers: ['Authorization'],
  metadata: {},
  created_at: '2026-11-28T09:12:44.108Z',
}

const delivered: Delivery = {
  id: ids.delivery,
  object: 'delivery',
  event_id: ids.event,
  event_type: 'job.result_available',
  endpoint_id: ids.endpoint,
  status: 'delivered',
  attempts: [
    {
      at: '2026-11-29T10:00:02.120Z',
      status_code: 204,
      latency_ms: 87,
      error: null,
      response_excerpt: '',
      response_truncated: false,
    },
  ],
  next_attempt_at: null,
  created_at: times.finished,
}

const pending: Delivery = {
  ...delivered,
  status: 'pending',
  attempts: [
    {
      at: '2026-11-29T10:00:02.120Z',
      status_code: 503,
      latency_ms: 87,
      error: 'http_status',
      response_excerpt: 'Back soon.',
      response_truncated: false,
    },
  ],
  next_attempt_at: '2026-11-29T10:00:07.207Z',
}

export const webhookEndpointExamples: {
  WebhookEndpointRequest: Examples<typeof WebhookEndpointRequest>
  WebhookEndpointPatch: Examples<typeof WebhookEndpointPatch>
  WebhookEndpoint: Examples<typeof WebhookEndpoint>
  WebhookEndpointPage: Examples<typeof WebhookEndpointPage>
  WebhookEndpointWithSecret: Examples<typeof WebhookEndpointWithSecret>
  WebhookSigningKeyPage: Examples<typeof SigningKeyPage>
  SecretRotation: Examples<typeof SecretRotation>
  WebhookEndpointEnabling: Examples<typeof Enabling>
  WebhookTestResult: Examples<typeof TestResult>
} = {
  WebhookEndpointRequest: {
    all: { summary: 'Every event, signed by a secret', value: { url: URL } },
    some: {
      summary: 'Some events, with both signatures and a header of your own',
      value: {
        url: URL,
        event_types: ['job.result_available', 'job.failed', 'batch.*'],
        description: 'Orders',
        signing: 'both',
        max_per_second: 20,
        headers: { Authorization: 'Bearer 3f9a6c1e' },
      },
    },
  },
  WebhookEndpointPatch: {
    eventTypes: { summary: 'Other events', value: { event_types: ['job.*'] } },
    disable: { summary: 'Hold its webhooks', value: { status: 'disabled' } },
  },
  WebhookEndpoint: { endpoint: { summary: 'An endpoint', value: endpoint } },
  WebhookEndpointPage: { page: { summary: 'The only page', value: { data: [endpoint], ...lastPage } } },
  WebhookEndpointWithSecret: {
    first: {
      summary: 'With the secret, this once',
      value: { ...endpoint, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    },
    replayed: { summary: 'In a replay', value: { ...endpoint, secret: null } },
  },
  WebhookSigningKeyPage: {
    page: {
      summary: 'The only page',
      value: {
        data: [
          {
            id: ids.signingKey,
            object: 'webhook_signing_key',
            endpoint_id: ids.endpoint,
            algorithm: 'ed25519',
            public_key: PUBLIC_KEY,
            created_at: '2026-11-28T09:12:44.108Z',
            expires_at: null,
          },
        ],
        ...lastPage,
      },
    },
  },
  SecretRotation: {
    hour: { summary: 'The old secret goes on for an hour', value: { overlap_seconds: 3600 } },
    leaked: { summary: 'The old secret has leaked', value: { overlap_seconds: 0 } },
  },
  WebhookEndpointEnabling: {
    withHeld: { summary: 'Send what was held', value: {} },
    withoutHeld: { summary: 'Leave what was held', value: { send_held: false } },
  },
  WebhookTestResult: {
    answered: {
      summary: 'The receiver acknowledged it',
      value: { status_code: 204, latency_ms: 87, error: null, response_excerpt: '' },
    },
    silent: {
      summary: 'The receiver did not answer in time',
      value: { status_code: null, latency_ms: 15_000, error: 'timeout', response_excerpt: null },
    },
  },
}

export const deliveryExamples: {
  Delivery: Examples<typeof Delivery>
  DeliveryPage: Examples<typeof DeliveryPage>
  ReplayRequest: Examples<typeof ReplayRequest>
  Replay: Examples<typeof Replay>
} = {
  Delivery: {
    delivered: { summary: 'A delivery that was acknowledged', value: delivered },
    pending: { summary: 'A delivery that is to be attempted again', value: pending },
  },
  DeliveryPage: { page: { summary: 'The only page', value: { data: [delivered], ...lastPage } } },
  ReplayRequest: {
    outage: {
      summary: 'What was missed in an outage',
      value: { since: '2026-11-29T08:00:00Z', until: '2026-11-29T12:00:00Z', only_failed: true },
    },
    jobs: {
      summary: 'All events of jobs since then',
      value: { since: '2026-11-29T08:00:00Z', event_types: ['job.*'] },
    },
  },
  Replay: { replay: { summary: 'How many became due', value: { deliveries: 118 } } },
}
