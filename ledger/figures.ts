/**
 * What a ledger tells of itself in a snapshot: counters since its beginning, and how things stand. All of it is absolute, so a snapshot
 * that is written twice, or late, counts nothing twice. Metrics, alerts and operators' usage are made of these alone.
 */
import { z } from '@hono/zod-openapi'
import { kindNames } from '../catalog/kind.ts'
import { itemClasses } from '../openapi/batch-states.ts'
import { failureClasses } from '../openapi/job-words.ts'

const count = z.int().nonnegative()
const byClass = z.partialRecord(z.enum(failureClasses), count)

/** Upper bounds of a histogram's buckets in seconds; one more bucket, without a bound, follows. */
export const queueBounds = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400] as const
export const processingBounds = [0.05, 0.25, 1, 2.5, 5, 15, 30, 60, 120, 300] as const
export const firstAttemptBounds = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const

const histogram = (bounds: readonly number[]) =>
  z.object({
    /** Of each bucket by itself, not added up. */
    buckets: z.array(count).length(bounds.length + 1),
    /** Of all that was observed, in milliseconds. */
    sumMs: count,
  })

/** Of one kind at one model. */
const Work = z.object({
  kind: z.enum(kindNames),
  model: z.string(),
  /** Jobs that have not ended. With those that have they are all that were accepted. Items of batches are not among them. */
  open: count,
  succeeded: count,
  failed: count,
  cancelled: count,
  /** Of batches, by how they ended. */
  items: z.object({ succeeded: count, failed: count, cancelled: count, expired: count }),
  /**
   * Attempts that settled their job, or left it to the next, by the class of their failure; those of jobs and of items that run singly.
   * One that was never heard of, or that came too late, is not among them.
   */
  attemptsSucceeded: count,
  attemptsFailed: byClass,
  /** Failures after which another attempt follows. */
  retries: byClass,
  /** Jobs and items that failed for good. */
  failures: z.partialRecord(z.enum(itemClasses), count),
  inputTokens: count,
  outputTokens: count,
  costMicroUsd: count,
  /** From acceptance to the first attempt, of jobs and of items that run singly; observed once, when they have ended. */
  queued: histogram(queueBounds),
  /** From the start of an attempt to its settlement, of those above. */
  processed: histogram(processingBounds),
})

export const Figures = z.object({
  v: z.literal(1),
  work: z.array(Work),
  /** Times are milliseconds since the epoch; null where there is none. */
  now: z.object({
    /** Jobs, and items that run singly, which wait, for whatever reason. */
    waiting: count,
    running: count,
    /** When they were accepted, or opened, to the second. */
    oldestWaitingAt: count.nullable(),
    oldestUnfinishedAt: count.nullable(),
    /** Unfinished jobs whose deadline is over. */
    pastDeadline: count,
    batchesOpen: count,
    batchesStalled: count,
  }),
  webhooks: z.object({
    /** Attempts by their outcome: `delivered`, or why not, in the words of a delivery's `error`. */
    attempts: z.record(z.string(), count),
    /** From an event, or the replay that first meant it for an endpoint, to the first attempt to deliver it. */
    firstAttempt: histogram(firstAttemptBounds),
  }),
})
export type Figures = z.infer<typeof Figures>
export type WorkFigures = z.infer<typeof Work>
export type Gauges = Figures['now']
export type WebhookFigures = Figures['webhooks']
export type Histogram = WebhookFigures['firstAttempt']

/** A day's usage of one kind at one model, as `/v1/usage` has it; money in integer micro-USD. */
export const DayUsage = z.object({
  kind: z.enum(kindNames),
  model: z.string(),
  jobs: count,
  items: count,
  succeeded: count,
  failed: count,
  input_tokens: count,
  output_tokens: count,
  cost_micro_usd: count,
})
export type DayUsage = z.infer<typeof DayUsage>
