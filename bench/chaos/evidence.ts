/** What a tenant's run left behind: in its ledger's tables, in the directory, at its receiver, and as its API shows it. */
import type { FailureClass, JobStatus } from '../../openapi/job-words.ts'
import type { Asked } from '../../test/support/openai-server.ts'
import type { Workerd } from '../support/workerd.ts'
import { type BatchEvidence, batchesOf, leaksIn } from './batch-evidence.ts'
import type { Customer } from './customer.ts'
import { inLedger } from './ledgers.ts'
import type { Listeners } from './listeners.ts'
import type { LoggedAttempt, LogTally } from './log-tally.ts'
import type { TenantPlan } from './tenants.ts'
import { type Told, toldOf } from './told.ts'

export interface JobRow {
  readonly id: string
  readonly kind: string
  readonly model: string
  readonly status: JobStatus
  readonly due_at: number | null
  readonly created_at: number
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly attempt: number
  readonly settled_attempt: number
  readonly released: number
  readonly booked_attempt: number
  readonly book_by: number | null
  readonly lost_leases: number
  /** JSON of the counts by class. */
  readonly failures: string
  readonly unknown_outcomes: number
  readonly error_class: FailureClass | null
  readonly reserved_micro_usd: number
  readonly cost_micro_usd: number | null
  readonly input_tokens: number | null
  readonly output_tokens: number | null
  readonly estimate_micro_usd: number
  readonly sequence: number
  readonly content_deleted_at: number | null
  /** 1 while any input, parameter or output is on record. */
  readonly has_content: 0 | 1
}

const columns =
  'id, kind, model, status, due_at, created_at, started_at, finished_at, attempt, settled_attempt, released, booked_attempt, book_by, lost_leases, ' +
  'failures, unknown_outcomes, error_class, reserved_micro_usd, cost_micro_usd, input_tokens, output_tokens, ' +
  'estimate_micro_usd, sequence, content_deleted_at, ' +
  'coalesce(input, input_ref, params, output, output_ref) is not null as has_content'

export interface JobView {
  readonly id: string
  readonly kind: string
  readonly model: string
  readonly status: JobStatus
  readonly terminal: boolean
  readonly error: { class: FailureClass } | null
  readonly usage: { input_tokens: number; output_tokens: number; cost_usd: number } | null
  /** Null unless it ran an item. */
  readonly batch_id: string | null
}

export interface UsageRow {
  readonly jobs: number
  readonly items: number
  readonly succeeded: number
  readonly failed: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_micro_usd: number
}

export interface Letter {
  readonly id: string
  readonly status: string
  readonly class: FailureClass
}

export interface Evidence {
  readonly plan: TenantPlan
  readonly customer: Customer
  /** Of the customer's own jobs. */
  readonly rows: readonly JobRow[]
  /** Of the jobs that ran items of its batches. */
  readonly itemRows: readonly JobRow[]
  readonly batches: readonly BatchEvidence[]
  /** Tables with content where none may be. */
  readonly leaks: readonly string[]
  readonly views: ReadonlyMap<string, JobView>
  readonly events: readonly { id: string; type: string; subject_id: string }[]
  readonly usage: UsageRow
  readonly spentMicroUsd: number
  readonly told: Told
  /** Dead letters of the directory, by the job's ID. */
  readonly letters: ReadonlyMap<string, Letter>
  /** IDs of the terminal events of a job or a batch that the tenant's receiver got. */
  readonly heard: (id: string) => ReadonlySet<string>
  /** How often the stand-in for OpenAI did work, by the idempotency key. */
  readonly effects: ReadonlyMap<string, number>
  /** What it was asked, by the job. */
  readonly asked: ReadonlyMap<string, readonly Asked[]>
  /** What the Workers logged of the job's attempts. */
  readonly logged: (jobId: string) => readonly LoggedAttempt[]
  /** Jobs of which the log cannot have all that was booked. */
  readonly unheard: ReadonlySet<string>
}

export interface Witnesses {
  readonly listeners: Listeners
  readonly logs: LogTally
  readonly effects: ReadonlyMap<string, number>
  readonly asked: ReadonlyMap<string, readonly Asked[]>
}

export async function evidenceOf(
  workerd: Workerd,
  plan: TenantPlan,
  customer: Customer,
  { listeners, logs, effects, asked }: Witnesses,
): Promise<Evidence> {
  const ask = <T>(sql: string) => inLedger<T>(workerd, plan.id, sql)
  return {
    plan,
    customer,
    rows: await ask<JobRow>(`select ${columns} from jobs where batch_chunk is null`),
    itemRows: await ask<JobRow>(`select ${columns} from jobs where batch_chunk is not null`),
    batches: await batchesOf(workerd, plan.id, customer.caller),
    leaks: await leaksIn(workerd, plan.id),
    views: await viewsOf(customer),
    events: await ask('select id, type, subject_id from events'),
    usage: (await ask<UsageRow>(sums('usage_days')))[0] as UsageRow,
    spentMicroUsd:
      (await ask<{ n: number }>('select coalesce(sum(micro_usd), 0) as n from spend'))[0]?.n ?? 0,
    told: await toldOf(workerd, plan.id, customer.caller),
    letters: await lettersOf(workerd, plan.id),
    heard: (id) => listeners.terminalEvents(plan.id, id),
    effects,
    asked,
    logged: (jobId) => logs.attemptsOf(jobId),
    unheard: logs.unheard,
  }
}

const sums = (table: string) =>
  `select ${['jobs', 'items', 'succeeded', 'failed', 'input_tokens', 'output_tokens', 'cost_micro_usd']
    .map((name) => `coalesce(sum(${name}), 0) as ${name}`)
    .join()} from ${table}`

interface Page {
  readonly data: JobView[]
  readonly next_cursor: string | null
}

async function viewsOf({ caller }: Customer): Promise<Map<string, JobView>> {
  const views = new Map<string, JobView>()
  let cursor: string | null = null
  do {
    const path: string = `/v1/jobs?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`
    const page: Page = await caller.get<Page>(path)
    for (const view of page.data) views.set(view.id, view)
    cursor = page.next_cursor
  } while (cursor)
  return views
}

async function lettersOf({ miniflare }: Workerd, tenantId: string) {
  const directory = await miniflare.getD1Database('DIRECTORY', 'gateway')
  const { results } = await directory
    .prepare('select id, job_id, status, class from dead_letters where tenant_id = ? and job_id is not null')
    .bind(tenantId)
    .all<Letter & { job_id: string }>()
  return new Map(results.map(({ job_id, ...letter }) => [job_id, letter]))
}
