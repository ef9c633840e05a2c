/**
 * Figures for Analytics Engine: with each snapshot a data point for each kind and model of the ledger. Its values are absolute, as in the
 * snapshot, since a point may be written twice, or not at all. Points may be sampled, and what is asked is how much a counter has grown,
 * so it takes no `_sample_interval`: `max(double2) - min(double2)` for each ledger, kind and model, and the sum of these.
 *
 * `index1` is the tenant; `blob1` to `blob3` are kind, model and ledger; the doubles are, from `double1` on, in the order of `valuesOf`.
 */
import type { Histogram, WorkFigures } from './figures.ts'
import { errorName, log } from './log.ts'

/** An invocation may write 250. */
const MOST_POINTS = 200

/** Never throws: what cannot be written is told by the next snapshot. */
export function noteFigures(
  points: AnalyticsEngineDataset,
  tenantId: string,
  ledger: string,
  work: readonly WorkFigures[],
): void {
  try {
    for (const one of work.slice(0, MOST_POINTS))
      points.writeDataPoint({
        indexes: [tenantId],
        blobs: [one.kind, one.model, ledger],
        doubles: valuesOf(one),
      })
  } catch (error) {
    log('ledger.points_failed', { error: errorName(error) })
  }
}

/** Money in micro-USD, times in milliseconds. */
const valuesOf = (work: WorkFigures): number[] => [
  work.open,
  work.succeeded,
  work.failed,
  work.cancelled,
  work.items.succeeded,
  work.items.failed,
  work.items.cancelled,
  work.items.expired,
  work.attemptsSucceeded,
  total(work.attemptsFailed),
  total(work.retries),
  work.inputTokens,
  work.outputTokens,
  work.costMicroUsd,
  observations(work.queued),
  work.queued.sumMs,
  observations(work.processed),
  work.processed.sumMs,
]

const total = (counts: Partial<Record<string, number>>) =>
  Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0)

const observations = ({ buckets }: Histogram) => buckets.reduce((sum, count) => sum + count, 0)
