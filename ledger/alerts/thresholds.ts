/** From when on something is an alert: a JSON object in a variable, each value with a default. */
import { z } from '@hono/zod-openapi'
import type { ConditionName } from '../../openapi/alert-words.ts'

/** A value above it is a condition; null is never. */
const threshold = (usual: number) => z.number().nonnegative().nullable().default(usual)
const share = (usual: number) => z.number().min(0).max(1).nullable().default(usual)

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** In the units of the conditions; times in seconds. */
export const Thresholds = z.strictObject({
  oldest_waiting_job: threshold(HOUR),
  oldest_unfinished_job: threshold(2 * DAY),
  jobs_past_deadline: threshold(0),
  stalled_batches: threshold(0),
  oldest_open_dead_letter: threshold(2 * DAY),
  expiry_rate: share(0.05),
  failure_rate: share(0.2),
  provider_refusals: threshold(0),
  webhook_failure_rate: share(0.5),
  queue_backlog_age: threshold(15 * MINUTE),
  silent_ledger: threshold(10 * MINUTE),
  check_incomplete: threshold(0),
  /** Rates and refusals are of what ended within this time, or a twelfth more. */
  window_seconds: z.int().min(MINUTE).max(DAY).default(HOUR),
  /** A rate of fewer says nothing. */
  minimum_count: z.int().min(1).default(20),
  /** How long a condition has to be absent before its alert is resolved. */
  resolve_after_seconds: z
    .int()
    .min(0)
    .max(DAY)
    .default(3 * MINUTE),
  /** How often an alert is told again while it lasts. */
  remind_after_seconds: z
    .int()
    .min(5 * MINUTE)
    .max(30 * DAY)
    .default(DAY),
} satisfies Record<ConditionName, z.ZodType> & Record<string, z.ZodType>)
export type Thresholds = z.infer<typeof Thresholds>
