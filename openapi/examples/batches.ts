import type { BatchRequest, RerunRequest } from '../batch-requests.ts'
import type { Batch, BatchCancellation, BatchPage } from '../batches.ts'
import { EXAMPLE_BASE_URL, type Examples, ids, lastPage, times } from './example.ts'
import { usage } from './jobs.ts'

const urlsOf = (id: string) => ({
  status_url: `${EXAMPLE_BASE_URL}/v1/batches/${id}`,
  results_url: `${EXAMPLE_BASE_URL}/v1/batches/${id}/results`,
})

const accepted: Batch = {
  id: ids.batch,
  object: 'batch',
  kind: 'embed',
  model: 'embedded/hash-1',
  model_version: '1',
  processing_version: '1',
  status: 'accepted',
  terminal: false,
  status_reason: 'submitting',
  counts: { total: 2, pending: 2, succeeded: 0, failed: 0, cancelled: 0, expired: 0 },
  created_at: times.created,
  started_at: null,
  finished_at: null,
  deadline_at: times.deadline,
  content_expires_at: null,
  usage: null,
  metadata: {},
  parent_batch_id: null,
  created_by: ids.client,
  ...urlsOf(ids.batch),
}

const ended = {
  terminal: true,
  status_reason: null,
  started_at: times.started,
  finished_at: times.finished,
  content_expires_at: times.expires,
  usage,
}

export const partiallyFailed: Batch = {
  ...accepted,
  ...ended,
  status: 'partially_failed',
  counts: { total: 2, pending: 0, succeeded: 1, failed: 1, cancelled: 0, expired: 0 },
}

const cancelled: Batch = {
  ...accepted,
  ...ended,
  status: 'cancelled',
  counts: { total: 2, pending: 0, succeeded: 1, failed: 0, cancelled: 1, expired: 0 },
}

const rerun: Batch = {
  ...accepted,
  id: ids.rerunBatch,
  status_reason: 'planning',
  counts: { total: 0, pending: 0, succeeded: 0, failed: 0, cancelled: 0, expired: 0 },
  parent_batch_id: ids.batch,
  ...urlsOf(ids.rerunBatch),
}

export const batchExamples: {
  BatchRequest: Examples<typeof BatchRequest>
  BatchRerunRequest: Examples<typeof RerunRequest>
  Batch: Examples<typeof Batch>
  BatchPage: Examples<typeof BatchPage>
  BatchCancellation: Examples<typeof BatchCancellation>
} = {
  BatchRequest: {
    inline: {
      summary: 'Items in the body',
      value: {
        kind: 'embed',
        items: [
          { external_reference: 'article-1', input: { texts: ['All human beings are born free.'] } },
          { external_reference: 'article-3', input: { texts: ['Everyone has the right to life.'] } },
        ],
      },
    },
    file: {
      summary: 'Items in an uploaded NDJSON file',
      value: {
        kind: 'summarize',
        items_file_id: ids.file,
        params: { max_words: 60 },
        on_invalid: 'skip',
        on_deadline: 'run_individually',
        max_cost_usd: 5,
      },
    },
  },
  BatchRerunRequest: {
    incompleteOnly: { summary: 'What has no output yet', value: { mode: 'incomplete_only' } },
    recomputeAll: {
      summary: 'All items, asked for in another way',
      value: { mode: 'recompute_all', processing_version: '2' },
    },
  },
  Batch: {
    accepted: { summary: 'A batch that has just been accepted', value: accepted },
    partiallyFailed: { summary: 'A batch of which an item failed', value: partiallyFailed },
    rerun: { summary: 'A batch that runs items of another again', value: rerun },
    discarded: {
      summary: 'A batch whose results have been deleted',
      value: { ...partiallyFailed, status: 'discarded' },
    },
  },
  BatchPage: { page: { summary: 'The only page', value: { data: [partiallyFailed], ...lastPage } } },
  BatchCancellation: {
    receipt: {
      summary: 'One item had ended, one was stopped',
      value: {
        object: 'batch_cancellation',
        batch: cancelled,
        stopped: 1,
        already_finished: 1,
        charged_usd: 0.000125,
      },
    },
  },
}
