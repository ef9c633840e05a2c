import type { z } from '@hono/zod-openapi'
import type {
  BatchEstimate,
  BatchItemPage,
  BatchManifest,
  BatchReport,
  BatchResultLine,
} from '../batch-contents.ts'
import { type Examples, ids, lastPage, times } from './example.ts'
import { outputs, usage } from './jobs.ts'

const missing = {
  class: 'missing_result',
  message: 'The provider gave no result for the item.',
  retryable: true,
} as const

const chunk = {
  index: 0,
  path: 'batch',
  item_count: 2,
  bytes: 184,
  confidentiality: 'internal',
  retention_seconds: 604_800,
} as const

const planned = { external_reference: 'article-1', index: 0 }
const first = { ...planned, chunk: 0 }

export const resultLines: z.input<typeof BatchResultLine>[] = [
  { ...planned, status: 'succeeded', output: outputs.embed, usage },
  { external_reference: 'article-3', index: 1, status: 'failed', error: missing, usage: null },
]

export const batchContentExamples: {
  BatchItemPage: Examples<typeof BatchItemPage>
  BatchManifest: Examples<typeof BatchManifest>
  BatchReport: Examples<typeof BatchReport>
  BatchEstimate: Examples<typeof BatchEstimate>
} = {
  BatchItemPage: {
    page: {
      summary: 'An item that succeeded and one that failed',
      value: {
        data: [
          { ...first, status: 'succeeded', error: null, usage },
          {
            external_reference: 'article-3',
            index: 1,
            status: 'failed',
            chunk: 0,
            error: missing,
            usage: null,
          },
        ],
        ...lastPage,
      },
    },
  },
  BatchManifest: {
    manifest: {
      summary: 'One chunk that is at the provider',
      value: {
        id: ids.batch,
        object: 'batch_manifest',
        kind: 'embed',
        model: 'embedded/hash-1',
        model_version: '1',
        provider: 'embedded',
        processing_version: '1',
        confidentiality: 'internal',
        parent_batch_id: null,
        items_file_id: null,
        created_at: times.created,
        created_by: ids.client,
        retention: { retention_seconds: 604_800, content_expires_at: null },
        item_count: 2,
        chunks: [
          {
            ...chunk,
            state: 'submitted',
            delete_after: null,
            provider_request_id: 'batch_68f0c1',
            submitted_at: times.started,
            collected_at: null,
          },
        ],
        items: [
          {
            ...first,
            item_key: '9b1f0c3a7d5e2468ace013579bdf02468ace13579bdf02468ace13579bdf0246',
            input_sha256: '5d41402abc4b2a76b9719d911017c5922ae3f1d0b9c84f6e7a8d9c0b1a2f3e4d',
          },
        ],
        has_more: true,
        next_cursor: 'eyJhIjoiMCJ9.Qm9n',
      },
    },
  },
  BatchReport: {
    report: {
      summary: 'A batch that ended in time, with an item that failed',
      value: {
        id: ids.batch,
        object: 'batch_report',
        status: 'partially_failed',
        checks: [
          { name: 'counts_add_up', passed: true, detail: null },
          { name: 'in_time', passed: true, detail: null },
        ],
        errors: [],
        error_count: 0,
        error_classes: { missing_result: 1 },
        duration_ms: 2087,
        model_versions: ['1'],
      },
    },
    invalidFile: {
      summary: 'A batch that failed over a line of its file',
      value: {
        id: ids.batch,
        object: 'batch_report',
        status: 'failed',
        checks: [],
        errors: [
          { line: 17, external_reference: null, class: 'invalid_input', detail: 'The line is not JSON.' },
        ],
        error_count: 1,
        error_classes: {},
        duration_ms: 412,
        model_versions: [],
      },
    },
  },
  BatchEstimate: {
    estimate: {
      summary: 'It would be accepted',
      value: {
        estimated_cost_usd: 0.000125,
        estimated_input_tokens: 48,
        model: 'embedded/hash-1',
        would_be_accepted: true,
        reasons: [],
        items: 2,
        bytes: 184,
        chunks: [chunk],
        errors: [],
        error_count: 0,
      },
    },
  },
}
