import type { z } from '@hono/zod-openapi'
import type {
  Alert,
  AlertDeliveryPage,
  AlertEndpoint,
  AlertEndpointPage,
  AlertEndpointRequest,
  AlertEndpointRotation,
  AlertEndpointWithSecret,
  AlertPage,
  alertEvents,
} from '../alerts.ts'
import { exampleOf, pingExample } from './events.ts'
import { type Examples, ids, lastPage, times } from './example.ts'

const URL = 'https://pager.operations.example/hooks/ai'

const alert: Alert = {
  id: 'alert_01kb9r2m5n000t4v7x1z3b6d8f0h',
  object: 'alert',
  condition: 'failure_rate',
  subject: 'openai/gpt-5-mini',
  status: 'open',
  value: 0.4125,
  threshold: 0.2,
  unit: 'ratio',
  opened_at: times.created,
  last_seen_at: times.created,
  resolved_at: null,
  runbook: 'docs/runbook.md#failure_rate',
}
const resolved: Alert = {
  ...alert,
  status: 'resolved',
  last_seen_at: '2026-11-29T11:12:00.310Z',
  resolved_at: '2026-11-29T11:16:00.275Z',
}

const endpoint: z.input<typeof AlertEndpoint> = {
  id: ids.endpoint,
  object: 'webhook_endpoint',
  url: URL,
  description: 'The pager',
  status: 'enabled',
  disabled_reason: null,
  signing: 'hmac',
  public_keys: [],
  headers: ['Authorization'],
  created_at: '2026-11-28T09:12:44.108Z',
}

const head = { id: ids.event, object: 'event', timestamp: times.created } as const
const events: { [T in keyof typeof alertEvents]: z.input<(typeof alertEvents)[T]> } = {
  'alert.opened': { ...head, type: 'alert.opened', data: { ...alert, sequence: 1 } },
  'alert.reminder': { ...head, type: 'alert.reminder', data: { ...alert, sequence: 2 } },
  'alert.resolved': { ...head, type: 'alert.resolved', data: { ...resolved, sequence: 3 } },
  ping: pingExample,
}
export const alertWebhookExamples = (type: string) => exampleOf(type, events[type as keyof typeof events])

export const alertExamples: {
  AlertPage: Examples<typeof AlertPage>
  AlertEndpoint: Examples<typeof AlertEndpoint>
  AlertEndpointPage: Examples<typeof AlertEndpointPage>
  AlertEndpointRequest: Examples<typeof AlertEndpointRequest>
  AlertEndpointWithSecret: Examples<typeof AlertEndpointWithSecret>
  AlertEndpointRotation: Examples<typeof AlertEndpointRotation>
  AlertDeliveryPage: Examples<typeof AlertDeliveryPage>
} = {
  AlertPage: { page: { summary: 'The only page', value: { data: [alert], ...lastPage } } },
  AlertEndpoint: { endpoint: { summary: 'An endpoint', value: endpoint } },
  AlertEndpointPage: { page: { summary: 'The only page', value: { data: [endpoint], ...lastPage } } },
  AlertEndpointRequest: {
    pager: {
      summary: 'A pager that asks for credentials',
      value: {
        url: URL,
        description: 'The pager',
        headers: { Authorization: 'Bearer 3f9a6c1e' },
        reason: 'The rota has a pager of its own now.',
      },
    },
  },
  AlertEndpointWithSecret: {
    first: {
      summary: 'With the secret, this once',
      value: { ...endpoint, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    },
    replayed: { summary: 'In a replay', value: { ...endpoint, secret: null } },
  },
  AlertEndpointRotation: {
    leaked: {
      summary: 'The old secret has leaked',
      value: { overlap_seconds: 0, reason: 'It was in a log.' },
    },
  },
  AlertDeliveryPage: {
    page: {
      summary: 'The only page',
      value: {
        data: [
          {
            id: ids.delivery,
            object: 'delivery',
            event_id: ids.event,
            event_type: 'alert.opened',
            endpoint_id: ids.endpoint,
            status: 'delivered',
            attempts: [{ at: '2026-11-29T10:00:00.120Z', status_code: 204, latency_ms: 87, error: null }],
            next_attempt_at: null,
            created_at: times.created,
          },
        ],
        ...lastPage,
      },
    },
  },
}
