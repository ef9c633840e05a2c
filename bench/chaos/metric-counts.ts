/** Samples of metrics as whole numbers by their names and labels: those that were scraped, and those that jobs, batches and usage make. Pure. */
import { added } from '../../ledger/counts.ts'
import type { Figures } from '../../ledger/figures.ts'
import type { Sample } from '../../test/support/openmetrics.ts'
import type { BatchEvidence } from './batch-evidence.ts'
import type { JobView } from './evidence.ts'
import { type Flat, itemsOf, observations } from './told-invariants.ts'

type Labels = Readonly<Record<string, string>>

const PREFIX = 'gateway_'
/** Of what is told in other units than it is counted in. */
const units: Readonly<Record<string, { name: string; factor: number }>> = {
  cost_usd_total: { name: 'micro-USD', factor: 1_000_000 },
  job_queue_seconds_sum: { name: 'ms', factor: 1000 },
}

export const ends: readonly string[] = ['succeeded', 'failed', 'cancelled']

export const sumOf = (counts: readonly Flat[]): Flat => counts.reduce<Flat>(added, {})

export const microUsd = (usd: number): number => Math.round(usd * 1_000_000)

/** One sample; money in micro-USD, sums of times in milliseconds. */
export function counted(name: string, labels: Labels, value: number): Flat {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
  const unit = units[name] ? ` in ${units[name].name}` : ''
  return { [`${name}{${pairs.toSorted().join()}}${unit}`]: value }
}

/** Those that were scraped under these names, which lack the prefix of all. */
export const countsIn = (samples: readonly Sample[], names: readonly string[]): Flat =>
  sumOf(
    named(samples, names).map(({ name, labels, value }) =>
      counted(name, labels, units[name] ? Math.round(value * units[name].factor) : value),
    ),
  )

export const named = (samples: readonly Sample[], names: readonly string[]): Sample[] =>
  samples
    .map((sample) => ({ ...sample, name: sample.name.slice(PREFIX.length) }))
    .filter(({ name }) => names.includes(name))

/** Of a job as the API lists it; one that ran an item counts with its batch. */
export function ofJob({ kind, model, status, error, usage, batch_id }: JobView): Flat {
  if (batch_id !== null) return {}
  return sumOf([
    counted('jobs_total', { kind, model, status: 'accepted' }, 1),
    ...(ends.includes(status) ? [counted('jobs_total', { kind, model, status }, 1)] : []),
    ...(error ? [counted('job_failures_total', { class: error.class }, 1)] : []),
    ofUsage(model, usage),
  ])
}

/** Of a batch as the API shows it; the classes of its items' failures are those of its rows. */
export function ofBatch(batch: BatchEvidence): Flat {
  const { kind, model, view } = batch
  const { total: _total, pending: _pending, ...counts } = view.counts
  return sumOf([
    ...Object.entries(counts).map(([status, n]) => counted('batch_items_total', { kind, model, status }, n)),
    ...Object.entries(itemsOf(batch).failures ?? {}).map(([name, n]) =>
      counted('job_failures_total', { class: name }, n),
    ),
    ofUsage(model, view.usage),
  ])
}

const ofUsage = (model: string, usage: JobView['usage']): Flat =>
  usage === null
    ? {}
    : sumOf([
        counted('tokens_total', { direction: 'input', model }, usage.input_tokens),
        counted('tokens_total', { direction: 'output', model }, usage.output_tokens),
        counted('cost_usd_total', { model }, microUsd(usage.cost_usd)),
      ])

/** Of what the rows of jobs of one kind at one model add up to. */
export const ofWork = (work: Flat): Flat =>
  sumOf(
    Object.entries(work).map(([name, n]) => {
      const [member = '', one = ''] = name.split(' ')
      if (member === 'attemptsFailed') return counted('job_attempts_total', { class: one }, n)
      if (member === 'retries') return counted('job_retries_total', { class: one }, n)
      return others[name]?.(n) ?? {}
    }),
  )

const others: Readonly<Record<string, (n: number) => Flat>> = {
  attemptsSucceeded: (n) => counted('job_attempts_total', { class: 'none' }, n),
  started: (n) => counted('job_queue_seconds_count', {}, n),
  'ms before a start': (n) => counted('job_queue_seconds_sum', {}, n),
  attempts: (n) => counted('job_processing_seconds_count', {}, n),
}

/** Of the webhooks in a ledger's snapshot. */
export const ofWebhooks = (figures: Figures | null): Flat =>
  figures === null
    ? {}
    : ofDeliveries(figures.webhooks.attempts, observations(figures.webhooks.firstAttempt.buckets))

/** Of attempts by their outcome, `firsts` of them at deliveries that had none. */
export const ofDeliveries = (attempts: Readonly<Record<string, number>>, firsts: number): Flat =>
  sumOf([
    ...Object.entries(attempts).map(([outcome, n]) => counted('webhook_attempts_total', { outcome }, n)),
    counted('webhook_first_attempt_seconds_count', {}, firsts),
  ])
