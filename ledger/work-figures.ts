/**
 * What a ledger's work came to since its beginning: the days' rows added up. Days that nothing is added to any more are added up once,
 * so that a snapshot reads a few rows however old the ledger is.
 */
import { added, type SomeCounts, unobserved } from './counts.ts'
import { processingBounds, queueBounds, type WorkFigures } from './figures.ts'
import { readMeta, writeMeta } from './meta.ts'
import { workOf } from './open-jobs.ts'
import type { Db } from './store.ts'
import { dayOf, type UsageDay, usageAfter } from './usage-days.ts'

const DAY_MS = 86_400_000
/** However wrong a clock may be around midnight. */
const OVER_AFTER_DAYS = 2

type Sums = Omit<WorkFigures, 'kind' | 'model' | 'open'>

/** Where sums begin. */
export const noWork: Sums = {
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  items: { succeeded: 0, failed: 0, cancelled: 0, expired: 0 },
  attemptsSucceeded: 0,
  attemptsFailed: {},
  retries: {},
  failures: {},
  inputTokens: 0,
  outputTokens: 0,
  costMicroUsd: 0,
  queued: unobserved(queueBounds),
  processed: unobserved(processingBounds),
}

/** `open`: jobs that have not ended, by `workOf`. */
export function workFigures(db: Db, open: ReadonlyMap<string, number>): WorkFigures[] {
  const past = readMeta(db, 'pastWork') ?? { through: 0, work: [] }
  const sums = sumUp(past.work, usageAfter(db, past.through))
  for (const work of open.keys()) if (!sums.has(work)) sums.set(work, noWork)
  return Array.from(sums, ([work, sum]) => named(work, sum, open.get(work) ?? 0))
}

function named(work: string, sums: Sums, open: number): WorkFigures {
  const [kind, model] = work.split(' ') as [WorkFigures['kind'], string]
  return { kind, model, open, ...sums }
}

function sumUp(past: readonly WorkFigures[], days: readonly UsageDay[]): Map<string, Sums> {
  const sums = new Map<string, Sums>()
  for (const { kind, model, open: _, ...sum } of past) sums.set(workOf({ kind, model }), sum)
  for (const day of days) sums.set(workOf(day), added(sums.get(workOf(day)) ?? noWork, sumsOf(day)))
  return sums
}

type Tokens = Pick<Sums, 'inputTokens' | 'outputTokens' | 'costMicroUsd'>

const sumsOf = ({ counts, inputTokens, outputTokens, costMicroUsd }: UsageDay): SomeCounts & Tokens => ({
  ...counts,
  inputTokens,
  outputTokens,
  costMicroUsd,
})

/** Adds up the days that are over for good, if there are any new ones: a row a day at most. */
export function foldPastDays(db: Db, now: number): void {
  const past = readMeta(db, 'pastWork') ?? { through: 0, work: [] }
  const through = dayOf(now - OVER_AFTER_DAYS * DAY_MS)
  const over = usageAfter(db, past.through).filter(({ day }) => day <= through)
  if (over.length === 0) return
  const sums = sumUp(past.work, over)
  writeMeta(db, 'pastWork', { through, work: Array.from(sums, ([work, sum]) => named(work, sum, 0)) })
}
