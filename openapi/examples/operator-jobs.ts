import type { OperatorJob } from '../operator-jobs.ts'
import { open } from './dead-letters.ts'
import { type Examples, ids, TENANT, times } from './example.ts'
import { failed } from './jobs.ts'

const { metadata: _, status_url: __, result_url: ___, ...shown } = failed

export const operatorJobExamples: { OperatorJob: Examples<typeof OperatorJob> } = {
  OperatorJob: {
    failed: {
      summary: 'A job that failed of our credential at the provider',
      value: {
        ...shown,
        attempts: 2,
        tenant_id: TENANT,
        metadata_keys: ['order'],
        failures: [{ class: 'timeout', count: 1 }],
        last_error_class: 'timeout',
        lost_leases: 0,
        released: 0,
        unknown_outcomes: 0,
        lease_ends_at: null,
        dead_letter: open,
        deliveries: [
          {
            id: ids.delivery,
            object: 'delivery',
            event_id: ids.event,
            event_type: 'job.failed',
            endpoint_id: ids.endpoint,
            status: 'delivered',
            attempts: [{ at: '2026-11-29T10:00:02.120Z', status_code: 204, latency_ms: 87, error: null }],
            next_attempt_at: null,
            created_at: times.finished,
          },
        ],
      },
    },
  },
}
