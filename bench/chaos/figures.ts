/** A run in numbers: what happened, and how often each thing that must hold did not. */
import type { OpenAiServer } from '../../test/support/openai-server.ts'
import type { Outcome, Wanted } from '../support/bench.ts'
import type { BatchEvidence } from './batch-evidence.ts'
import { isLoggedWhole } from './bookings.ts'
import { WHOLE_RUN_JOBS, wantedClasses } from './certain.ts'
import type { ChaosOptions } from './chaos.ts'
import type { Customer } from './customer.ts'
import type { Evidence, JobRow } from './evidence.ts'
import type { Listeners } from './listeners.ts'
import type { LogTally } from './log-tally.ts'
import type { Redrives } from './redrives.ts'
import type { Scraped } from './scraped.ts'

export interface Parts {
  readonly options: ChaosOptions
  readonly evidence: readonly Evidence[]
  readonly metrics: Scraped
  readonly customers: readonly Customer[]
  readonly listeners: Listeners
  readonly openAi: OpenAiServer
  readonly logs: LogTally
  readonly redrives: Redrives
  readonly evictions: number
  /** Until every job had ended, and until everything was counted. */
  readonly seconds: number
  readonly secondsInAll: number
  readonly broken: Record<string, readonly string[]>
}

const none: Wanted = { bound: 'at most', value: 0 }
const some: Wanted = { bound: 'at least', value: 1 }

/** What must have happened in a whole run, besides each class of failure: else it shows nothing. */
const wantedToHappen = [
  'refused_by_budget',
  'connections_broken',
  'messages_doubled',
  'kills',
  'lost_leases',
  'ledger_calls_failed',
  'evictions',
  'webhooks_refused',
  'files_uploaded',
  'cancellations',
  'deletions',
  'metrics_read',
  'redriven',
  'redrives_refused',
  'bookings_logged_whole',
  'workflows_killed',
  'batch_cancellations',
  'batch_discards',
  'batch_reruns',
  'batches_repeated_submissions',
  ...['completed', 'partially_failed', 'failed', 'expired', 'cancelled', 'discarded'].map(
    (end) => `batches_${end}`,
  ),
]

export function figuresOf(parts: Parts): Outcome {
  const counts = Object.entries(parts.broken).map(([name, cases]) => [name, cases.length] as const)
  const isWhole = parts.options.jobs >= WHOLE_RUN_JOBS
  const happening = [...wantedToHappen, ...wantedClasses.map((name) => `failed_${name}`)]
  const wanted = [
    ...(isWhole ? happening.map((name) => [name, some] as const) : []),
    ...counts.map(([name]) => [name, none] as const),
  ]
  return {
    figures: { ...happened(parts), ...Object.fromEntries(counts) },
    wanted: Object.fromEntries(wanted),
  }
}

function happened(parts: Parts): Record<string, number> {
  const { evidence, customers, listeners, openAi, logs, redrives, evictions, seconds, secondsInAll } = parts
  const rows = evidence.flatMap((one) => one.rows)
  const batches = evidence.flatMap((one) => one.batches)
  const sum = (value: (customer: Customer) => number) => customers.reduce((all, one) => all + value(one), 0)
  return {
    seconds,
    seconds_in_all: secondsInAll,
    accepted: sum(({ accepted }) => accepted.size),
    refused_by_budget: sum(({ tally }) => tally.refused[402] ?? 0),
    connections_broken: sum(({ tally }) => tally.broken),
    requests_retried: sum(({ tally }) => tally.retried),
    files_uploaded: sum(({ tally }) => tally.uploaded),
    cancellations: sum(({ tally }) => tally.cancelled.size),
    deletions: sum(({ tally }) => tally.deleted.size),
    messages_doubled: logs.doubled,
    attempts: logs.attempts.size,
    claims_given_back: rows.reduce((all, { released }) => all + released, 0),
    kills: logs.kills.size,
    lost_leases: rows.reduce((all, { lost_leases }) => all + lost_leases, 0),
    ledger_calls_failed: logs.count('chaos.call_failed'),
    evictions,
    provider_requests: openAi.asked.length,
    provider_effects: openAi.effects.size,
    bookings_logged_whole: evidence.reduce((all, one) => all + loggedWhole(one), 0),
    webhooks: listeners.counts.received,
    webhooks_refused: listeners.counts.refused,
    workflows_killed: logs.count('chaos.flow_killed'),
    batch_cancellations: sum(({ batches }) => batches.tally.cancelled.size),
    batch_discards: sum(({ batches }) => batches.tally.discarded.size),
    batch_reruns: sum(({ batches }) => batches.tally.reruns.size),
    batches_repeated_submissions: batches.filter(({ chunks }) => chunks.some(({ tries }) => tries > 1))
      .length,
    batch_items: batches.reduce((all, { items }) => all + items, 0),
    metrics_read: parts.metrics.samples.length,
    redriven: redrives.redriven,
    redrives_refused: redrives.refused,
    ...sorted([...logs.failures].map(([name, count]) => [`attempts_${name}`, count])),
    ...byEnd(rows),
    ...endsOfBatches(batches),
  }
}

/** Jobs that cost something, and whose costs the log has to the last. */
const loggedWhole = (evidence: Evidence) =>
  evidence.rows.filter((row) => (row.cost_micro_usd ?? 0) > 0 && isLoggedWhole(row, evidence)).length

const sorted = (entries: [string, number][]) =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))

function byEnd(rows: readonly JobRow[]): Record<string, number> {
  const ends = Map.groupBy(rows, ({ status, error_class }) =>
    error_class ? `failed_${error_class}` : status,
  )
  return sorted(Array.from(ends, ([end, jobs]) => [end, jobs.length]))
}

function endsOfBatches(batches: readonly BatchEvidence[]): Record<string, number> {
  const ends = Map.groupBy(batches, ({ status }) => `batches_${status}`)
  return sorted(Array.from(ends, ([end, some]) => [end, some.length]))
}
