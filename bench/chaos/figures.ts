/** A run in numbers: what happened, and how often each thing that must hold did not. */
import type { OpenAiServer } from '../../test/support/openai-server.ts'
import type { Outcome, Wanted } from '../support/bench.ts'
import type { Customer } from './customer.ts'
import type { Evidence, JobRow } from './evidence.ts'
import type { Listeners } from './listeners.ts'
import type { LogTally } from './log-tally.ts'

export interface Parts {
  readonly evidence: readonly Evidence[]
  readonly customers: readonly Customer[]
  readonly listeners: Listeners
  readonly openAi: OpenAiServer
  readonly logs: LogTally
  readonly evictions: number
  readonly seconds: number
  readonly broken: Record<string, readonly string[]>
}

const none: Wanted = { bound: 'at most', value: 0 }

export function figuresOf(parts: Parts): Outcome {
  const counts = Object.entries(parts.broken).map(([name, cases]) => [name, cases.length] as const)
  return {
    figures: { ...happened(parts), ...Object.fromEntries(counts) },
    wanted: Object.fromEntries(counts.map(([name]) => [name, none])),
  }
}

function happened({
  evidence,
  customers,
  listeners,
  openAi,
  logs,
  evictions,
  seconds,
}: Parts): Record<string, number> {
  const rows = evidence.flatMap((one) => one.rows)
  const sum = (value: (customer: Customer) => number) => customers.reduce((all, one) => all + value(one), 0)
  return {
    seconds,
    accepted: sum(({ accepted }) => accepted.size),
    refused_by_budget: sum(({ tally }) => tally.refused[402] ?? 0),
    connections_broken: sum(({ tally }) => tally.broken),
    requests_retried: sum(({ tally }) => tally.retried),
    messages_doubled: logs.doubled,
    attempts: logs.attempts.size,
    kills: logs.kills.size,
    lost_leases: rows.reduce((all, { lost_leases }) => all + lost_leases, 0),
    ledger_calls_failed: logs.count('chaos.call_failed'),
    evictions,
    provider_requests: openAi.asked.length,
    provider_effects: openAi.effects.size,
    webhooks: listeners.counts.received,
    webhooks_refused: listeners.counts.refused,
    ...byEnd(rows),
  }
}

function byEnd(rows: readonly JobRow[]): Record<string, number> {
  const ends = Map.groupBy(rows, ({ status, error_class }) =>
    error_class ? `failed_${error_class}` : status,
  )
  return Object.fromEntries(Array.from(ends, ([end, jobs]) => [end, jobs.length] as const).toSorted())
}
