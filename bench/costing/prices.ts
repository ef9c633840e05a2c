/**
 * What the platform asks for each unit, in USD (Workers Paid, public price lists of Workers, Queues, Durable Objects, D1, R2 and Workers
 * Logs, as of November 2026). What is included every month is not taken off, nor is the plan's own price: these are the prices of one
 * unit more.
 */

interface Price {
  readonly usd: number
  /** Units that the price is for. */
  readonly per: number
  readonly unit: string
}

const million = (usd: number, unit: string): Price => ({ usd, per: 1_000_000, unit })
const each = (usd: number, unit: string): Price => ({ usd, per: 1, unit })

export const prices = {
  worker_requests: million(0.3, 'requests, queue batches and cron triggers'),
  worker_cpu_ms: million(0.02, 'ms of CPU time'),
  workflow_instances: million(0.3, 'instances started'),
  queue_operations: million(0.4, 'writes, reads and deletions of 64 KB of a message'),
  object_requests: million(0.15, 'calls of Durable Objects and alarms'),
  object_gb_seconds: million(12.5, 'GB-s, of 128 MB an active object'),
  object_rows_read: million(0.001, 'rows read'),
  object_rows_written: million(1, 'rows written, index entries and deletions among them'),
  object_alarms_set: million(1, 'alarms set, each a row written'),
  object_storage_gb_months: each(0.2, 'GB-months'),
  d1_rows_read: million(0.001, 'rows read'),
  d1_rows_written: million(1, 'rows written'),
  r2_class_a: million(4.5, 'puts and lists'),
  r2_class_b: million(0.36, 'reads'),
  r2_storage_gb_months: each(0.015, 'GB-months'),
  log_events: million(0.6, 'lines of the log'),
} as const satisfies Record<string, Price>

export type Unit = keyof typeof prices
export const units = Object.keys(prices) as Unit[]
/** How many of each unit; a unit that is left out is not used. */
export type Counts = Partial<Record<Unit, number>>

/** What so many units cost, in USD. */
export const priceOf = (unit: Unit, count: number): number => (count / prices[unit].per) * prices[unit].usd
