import type { OperatorBatch, OperatorBatchDetail, OperatorBatchPage } from '../operator-batches.ts'
import { partiallyFailed } from './batches.ts'
import { type Examples, lastPage, TENANT, times } from './example.ts'

const { metadata: _, status_url: __, results_url: ___, ...shown } = partiallyFailed

const stalled: OperatorBatch = {
  ...shown,
  status: 'processing',
  terminal: false,
  status_reason: 'stalled',
  finished_at: null,
  content_expires_at: null,
  tenant_id: TENANT,
  metadata_keys: ['catalogue'],
  stalled_chunks: 1,
  unknown_chunks: 0,
  stalled_since: '2026-11-29T16:00:00.000Z',
}

export const operatorBatchExamples: {
  OperatorBatchPage: Examples<typeof OperatorBatchPage>
  OperatorBatchDetail: Examples<typeof OperatorBatchDetail>
} = {
  OperatorBatchPage: {
    page: { summary: 'The only page', value: { data: [stalled], unreachable_tenants: [], ...lastPage } },
  },
  OperatorBatchDetail: {
    stalled: {
      summary: 'A batch with a chunk that its provider does not answer',
      value: {
        ...stalled,
        provider: 'openai',
        workflow_instance: 1,
        progress_at: '2026-11-29T15:58:30.000Z',
        chunks: [
          {
            index: 0,
            path: 'batch',
            state: 'submitted',
            item_count: 2,
            bytes: 184,
            confidentiality: 'internal',
            retention_seconds: 604_800,
            delete_after: null,
            provider_request_id: 'batch_68f0c1',
            submitted_at: times.started,
            collected_at: null,
            tries: 1,
            polls: 42,
            stalled_at: '2026-11-29T16:00:00.000Z',
            last_error_class: null,
            cost_usd: 0,
          },
        ],
        dead_letter: null,
        deliveries: [],
      },
    },
  },
}
