/**
 * The metrics, as scraped when all is over, must tell the same numbers as the jobs and batches that the API lists, the usage that it
 * reports, and the rows of the ledgers: to the last one. Each names what does not, with both numbers; pure.
 */
import type { Evidence } from './evidence.ts'
import {
  counted,
  countsIn,
  ofBatch,
  ofDeliveries,
  ofJob,
  ofWebhooks,
  ofWork,
  sumOf,
} from './metric-counts.ts'
import { usageIn, usageOf } from './metric-usage.ts'
import type { Scraped } from './scraped.ts'
import { type Flat, workDone } from './told-invariants.ts'

type Invariant = (scraped: Scraped, evidence: readonly Evidence[]) => string[]

const ofJobsAndBatches = [
  'jobs_total',
  'batch_items_total',
  'job_failures_total',
  'tokens_total',
  'cost_usd_total',
]
const ofAttempts = [
  'job_attempts_total',
  'job_retries_total',
  'job_queue_seconds_count',
  'job_queue_seconds_sum',
  'job_processing_seconds_count',
]
const ofLetters = ['dead_letters_total', 'dead_letters_open']
const ofReceivers = ['webhook_attempts_total', 'webhook_first_attempt_seconds_count']
const whatStands = [
  'jobs_backlog',
  'jobs_running',
  'jobs_oldest_waiting_seconds',
  'jobs_oldest_unfinished_seconds',
  'jobs_past_deadline',
  'batches_open',
  'batches_stalled',
]

export const metricsInvariants: Record<string, Invariant> = {
  metrics_unreadable: ({ faults }) => [...faults],

  metrics_unlike_jobs: ({ samples }, evidence) => {
    const jobs = evidence.flatMap(({ views }) => [...views.values()].map(ofJob))
    const batches = evidence.flatMap((one) => one.batches.map(ofBatch))
    return unlike(countsIn(samples, ofJobsAndBatches), 'as listed', sumOf([...jobs, ...batches]))
  },

  metrics_unlike_attempts: ({ samples }, evidence) => {
    const work = evidence.flatMap((one) => [...workDone(one).values()].map(ofWork))
    return unlike(countsIn(samples, ofAttempts), 'by the rows', sumOf(work))
  },

  metrics_unlike_usage: ({ samples, byKind, byModel }, evidence) => {
    const tenants = evidence.flatMap(({ told }) => [told.byKind, told.byModel].map(usageOf))
    const operators = [byKind, byModel].map(usageOf)
    return [
      ...unlike(usageIn(samples), "by the tenants' usage", sumOf(tenants)),
      ...unlike(usageIn(samples), "by the operators' usage", sumOf(operators)),
    ]
  },

  metrics_unlike_letters: ({ samples, letters }) => {
    const listed = letters.flatMap(({ queue, class: name, status }) => [
      counted('dead_letters_total', { queue, class: name }, 1),
      counted('dead_letters_open', {}, Number(status === 'open')),
    ])
    return unlike(countsIn(samples, ofLetters), 'as listed', sumOf(listed))
  },

  metrics_unlike_webhooks: ({ samples }, evidence) => {
    const snapshots = evidence.map(({ told }) => ofWebhooks(told.figures))
    return unlike(countsIn(samples, ofReceivers), 'by the snapshots', sumOf(snapshots))
  },

  /** A ledger that is evicted takes along what it counted in the seconds before: fewer are told, never more. */
  metrics_of_webhooks_never_sent: ({ samples }, evidence) => {
    const sent = sumOf(evidence.map(({ told }) => ofDeliveries(told.attempts, told.attempted)))
    const isMore = ([name, n]: [string, number]) => n > (sent[name] ?? 0)
    const more = Object.entries(countsIn(samples, ofReceivers)).filter(isMore)
    return unlike(Object.fromEntries(more), 'by the deliveries', sent, Object.fromEntries(more))
  },

  metrics_of_what_is_over: ({ samples }) => unlike(countsIn(samples, whatStands), 'when all is over', {}),
}

/** What is not the same in both; `among` bounds what is looked at. */
const unlike = (metrics: Flat, by: string, there: Flat, among: Flat = { ...metrics, ...there }): string[] =>
  Object.keys(among).flatMap((name) => {
    const [told, done] = [metrics[name] ?? 0, there[name] ?? 0]
    return told === done ? [] : [`${name}: ${told} in the metrics, ${done} ${by}`]
  })
