import type { Limits } from '../limits.ts'
import type { ModelPage } from '../models.ts'
import type { UsageCsv, UsageReport } from '../usage.ts'
import { type Examples, lastPage } from './example.ts'

const free = { input_usd_per_million_tokens: 0, output_usd_per_million_tokens: 0, usd_per_job: 0 }
const whole = (limit: number) => ({ limit, used: 0, remaining: limit, resets_at: null })
const none = { day: null, kind: null, model: null }
export const usageFiguresExample = {
  jobs: 128,
  items: 5000,
  succeeded: 5100,
  failed: 20,
  input_tokens: 912_000,
  output_tokens: 48_000,
  cost_usd: 0.1656,
}

export const accountExamples: {
  ModelPage: Examples<typeof ModelPage>
  Limits: Examples<typeof Limits>
  UsageReport: Examples<typeof UsageReport>
  UsageCsv: Examples<typeof UsageCsv>
} = {
  ModelPage: {
    page: {
      summary: 'A page of models',
      value: {
        data: [
          {
            id: 'embedded/hash-1',
            object: 'model',
            provider: 'embedded',
            version: '1',
            kinds: ['embed', 'classify'],
            default_for: ['embed', 'classify'],
            batch: { max_items: 1000, max_bytes: 8_388_608 },
            max_input_tokens: 25_000_000,
            dimensions: 256,
            price: free,
            max_confidentiality: 'restricted',
            enabled: true,
          },
        ],
        ...lastPage,
      },
    },
  },
  Limits: {
    present: {
      summary: 'The limits of a tenant at work',
      value: {
        object: 'limits',
        plan: {
          requests_per_minute: 6000,
          jobs_per_minute: 6000,
          max_running: 50,
          max_backlog: 100_000,
          max_open_batches: 20,
          max_batch_chunks: 10,
          max_webhook_endpoints: 50,
          monthly_budget_usd: 250,
          test_models: false,
          shards: 1,
        },
        limits: {
          requests_per_minute: {
            limit: 6000,
            used: 12,
            remaining: 5988,
            resets_at: '2026-11-29T10:00:57.000Z',
          },
          jobs_per_minute: whole(6000),
          max_running: { limit: 50, used: 4, remaining: 46, resets_at: null },
          max_backlog: { limit: 100_000, used: 4, remaining: 99_996, resets_at: null },
          max_open_batches: whole(20),
          max_batch_chunks: whole(10),
          max_webhook_endpoints: { limit: 50, used: 1, remaining: 49, resets_at: null },
        },
        budget: {
          month: '2026-11',
          limit_usd: 250,
          booked_usd: 81.402117,
          reserved_usd: 0.0016,
          remaining_usd: 168.596283,
          resets_at: '2026-12-01T00:00:00.000Z',
        },
      },
    },
  },
  UsageReport: {
    by_day: {
      summary: 'By day',
      value: {
        object: 'usage',
        from: '2026-11-01',
        to: '2026-11-29',
        group_by: 'day',
        data: [{ ...none, day: '2026-11-29', ...usageFiguresExample }],
        total: usageFiguresExample,
      },
    },
    by_model: {
      summary: 'By model',
      value: {
        object: 'usage',
        from: '2026-11-01',
        to: '2026-11-29',
        group_by: 'model',
        data: [{ ...none, model: 'openai/gpt-4o-mini', ...usageFiguresExample }],
        total: usageFiguresExample,
      },
    },
  },
  UsageCsv: {
    by_day: {
      summary: 'By day',
      value: [
        'day,kind,model,jobs,items,succeeded,failed,input_tokens,output_tokens,cost_usd\r\n',
        '2026-11-29,,,128,5000,5100,20,912000,48000,0.1656\r\n',
      ].join(''),
    },
  },
}
