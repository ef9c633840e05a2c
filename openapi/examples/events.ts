import type { z } from '@hono/zod-openapi'
import type { EventPage } from '../events.ts'
import type { EventType, webhookEvents } from '../webhooks.ts'
import { partiallyFailed } from './batches.ts'
import { type Example, type Examples, ids, lastPage, times } from './example.ts'
import { accepted, error, succeeded } from './jobs.ts'

const head = { id: ids.event, object: 'event', timestamp: times.finished } as const

const { id, object, kind, status_url, result_url, metadata, redrive_of } = succeeded
const job = { id, object, kind, status_url, result_url, metadata, redrive_of }

const { counts, results_url, ...ofBatch } = partiallyFailed
const batch = {
  id: ofBatch.id,
  object: ofBatch.object,
  kind: ofBatch.kind,
  counts,
  status_url: ofBatch.status_url,
  results_url,
  metadata: ofBatch.metadata,
}

const endpoint = { id: ids.endpoint, object: 'webhook_endpoint' } as const

type Events = { [T in EventType]: z.input<(typeof webhookEvents)[T]> }

const events: Events = {
  'job.accepted': { ...head, type: 'job.accepted', data: { ...job, status: accepted.status, sequence: 1 } },
  'job.result_available': {
    ...head,
    type: 'job.result_available',
    data: { ...job, status: 'succeeded', sequence: 2 },
  },
  'job.failed': { ...head, type: 'job.failed', data: { ...job, status: 'failed', sequence: 2, error } },
  'job.cancelled': { ...head, type: 'job.cancelled', data: { ...job, status: 'cancelled', sequence: 2 } },
  'batch.accepted': {
    ...head,
    type: 'batch.accepted',
    data: {
      ...batch,
      status: 'accepted',
      sequence: 1,
      counts: { total: 2, pending: 2, succeeded: 0, failed: 0, cancelled: 0, expired: 0 },
    },
  },
  'batch.result_available': {
    ...head,
    type: 'batch.result_available',
    data: { ...batch, status: 'partially_failed', sequence: 2 },
  },
  'batch.failed': {
    ...head,
    type: 'batch.failed',
    data: {
      ...batch,
      status: 'failed',
      sequence: 2,
      counts: { total: 2, pending: 0, succeeded: 0, failed: 2, cancelled: 0, expired: 0 },
    },
  },
  'batch.expired': {
    ...head,
    type: 'batch.expired',
    data: {
      ...batch,
      status: 'expired',
      sequence: 2,
      counts: { total: 2, pending: 0, succeeded: 1, failed: 0, cancelled: 0, expired: 1 },
    },
  },
  'batch.cancelled': {
    ...head,
    type: 'batch.cancelled',
    data: {
      ...batch,
      status: 'cancelled',
      sequence: 2,
      counts: { total: 2, pending: 0, succeeded: 1, failed: 0, cancelled: 1, expired: 0 },
    },
  },
  'webhook_endpoint.failing': {
    ...head,
    type: 'webhook_endpoint.failing',
    data: {
      ...endpoint,
      status: 'enabled',
      disabled_reason: null,
      sequence: 1,
      failing_since: times.created,
      last_error: 'timeout',
    },
  },
  'webhook_endpoint.disabled': {
    ...head,
    type: 'webhook_endpoint.disabled',
    data: {
      ...endpoint,
      status: 'disabled',
      disabled_reason: 'gone',
      sequence: 2,
      failing_since: null,
      last_error: null,
    },
  },
  ping: { ...head, type: 'ping', data: endpoint },
}

/** Of a webhook, by its type. */
export const exampleOf = (type: string, value: unknown): Record<string, Example<unknown>> => ({
  [type.replace(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase())]: {
    summary: `The body of ${type}`,
    value,
  },
})

export const pingExample = events.ping
export const webhookExamples = (type: string) => exampleOf(type, events[type as EventType])

export const eventExamples: { EventPage: Examples<typeof EventPage> } = {
  EventPage: {
    page: {
      summary: 'The events of a job',
      value: {
        data: [
          { ...events['job.accepted'], id: 'evt_01kb9ka0dh000000002a1m8t4w6y', timestamp: times.created },
          events['job.result_available'],
        ],
        ...lastPage,
      },
    },
  },
}
