import { describe, expect, it } from 'vitest'
import { figuresOf } from '../../ledger/directory/figures.fixture.ts'
import type { DayUsage } from '../../ledger/figures.ts'
import { byPackage } from '../../test/support/openmetrics-readers.ts'
import type { Evidence } from './evidence.ts'
import { metricsInvariants } from './metrics-invariants.ts'
import type { Scraped } from './scraped.ts'

/** Two jobs, of which one was tried again and failed, and a batch of three items, of which one failed; an attempt at a webhook in vain. */
const text = `gateway_jobs_backlog 0
gateway_batches_open 0
gateway_jobs_total{kind="embed",model="m",status="accepted"} 2
gateway_jobs_total{kind="embed",model="m",status="succeeded"} 1
gateway_jobs_total{kind="embed",model="m",status="failed"} 1
gateway_batch_items_total{kind="embed",model="m",status="succeeded"} 2
gateway_batch_items_total{kind="embed",model="m",status="failed"} 1
gateway_job_attempts_total{class="none"} 1
gateway_job_attempts_total{class="timeout"} 2
gateway_job_retries_total{class="timeout"} 1
gateway_job_failures_total{class="timeout"} 1
gateway_job_failures_total{class="missing_result"} 1
gateway_job_queue_seconds_count 2
gateway_job_queue_seconds_sum 0.3
gateway_job_processing_seconds_count 3
gateway_tokens_total{direction="input",model="m"} 15
gateway_tokens_total{direction="output",model="m"} 3
gateway_cost_usd_total{model="m"} 0.300003
gateway_dead_letters_total{queue="jobs",class="timeout"} 1
gateway_dead_letters_open 1
gateway_webhook_attempts_total{outcome="delivered"} 4
gateway_webhook_attempts_total{outcome="timeout"} 1
gateway_webhook_first_attempt_seconds_count 4
`

const usage = { input_tokens: 5, output_tokens: 1, cost_usd: 0.100001 }
const view = { kind: 'embed', model: 'm', status: 'succeeded', error: null, usage, batch_id: null }
const views = [
  view,
  { ...view, status: 'failed', error: { class: 'timeout' } },
  { ...view, batch_id: 'batch_1' },
]

const row = {
  ...{ kind: 'embed', model: 'm', status: 'succeeded', created_at: 100, started_at: 200, failures: '{}' },
  ...{ error_class: null, attempt: 1, settled_attempt: 1 },
}
const failed = {
  ...row,
  ...{ status: 'failed', started_at: 300, error_class: 'timeout', failures: '{"timeout":1}' },
}

const chunk = {
  ...{ succeeded: 2, failed: 1, cancelled: 0, expired: 0, statuses: 'sfs', errors: '{"1":"missing_result"}' },
  ...{ input_tokens: 5, output_tokens: 1, cost_micro_usd: 100_001 },
}
const counts = { total: 3, pending: 0, succeeded: 2, failed: 1, cancelled: 0, expired: 0 }
const batch = { id: 'batch_1', kind: 'embed', model: 'm', chunks: [chunk], view: { counts, usage } }

const day: Omit<DayUsage, 'kind' | 'model' | 'cost_micro_usd'> & { cost_usd: number } = {
  ...{ jobs: 2, items: 3, succeeded: 3, failed: 2, input_tokens: 15, output_tokens: 3, cost_usd: 0.300003 },
}
const byKind = { data: [{ day: null, kind: 'embed', model: null, ...day }] }
const byModel = { data: [{ day: null, kind: null, model: 'm', ...day }] }

const firstAttempt = { buckets: [3, 1], sumMs: 10 }
const figures = figuresOf({ webhooks: { attempts: { delivered: 4, timeout: 1 }, firstAttempt } })
const told = { figures, byKind, byModel, attempts: { delivered: 4, timeout: 2 }, attempted: 5 }

/** Nothing else of it is looked at. */
const evidence = [
  {
    views: new Map(views.map((one, nth) => [String(nth), one])),
    rows: [row, failed],
    itemRows: [],
    batches: [batch],
    told,
  },
] as unknown as Evidence[]

const scrapedFrom = (scrape: string) =>
  ({
    samples: byPackage(scrape),
    ...{ faults: [], byKind, byModel, letters: [{ queue: 'jobs', class: 'timeout', status: 'open' }] },
  }) as unknown as Scraped

/** All that is broken, by the names of the invariants. */
function broken(scrape: string): Record<string, string[]> {
  const all = Object.entries(metricsInvariants).map(([name, cases]) => [
    name,
    cases(scrapedFrom(scrape), evidence),
  ])
  return Object.fromEntries(all.filter(([, cases]) => (cases?.length ?? 0) > 0)) as Record<string, string[]>
}

describe('the metrics after a run', () => {
  it('are in order when they tell what there is', () => {
    expect(broken(text)).toEqual({})
  })

  it.each(text.trim().split('\n'))('are not with one more in %s', (line) => {
    const [name = '', value] = line.split(' ')
    const more = Number(value) + (name.includes('usd') ? 0.000001 : name.endsWith('_sum') ? 0.001 : 1)
    const cases = Object.values(broken(text.replace(line, `${name} ${more}`))).flat()
    expect(cases.length).toBeGreaterThan(0)
  })

  it.each(text.trim().split('\n').slice(2))('are not without %s', (line) => {
    expect(Object.values(broken(text.replace(`${line}\n`, ''))).flat().length).toBeGreaterThan(0)
  })

  it('are told of with both numbers', () => {
    const line = 'gateway_tokens_total{direction="input",model="m"} 15'
    expect(broken(text.replace(line, line.replace('15', '14')))).toEqual({
      metrics_unlike_jobs: ['tokens_total{direction="input",model="m"}: 14 in the metrics, 15 as listed'],
      metrics_unlike_usage: [
        "input_tokens of model m: 14 in the metrics, 15 by the tenants' usage",
        "input_tokens of model m: 14 in the metrics, 15 by the operators' usage",
      ],
    })
  })
})
