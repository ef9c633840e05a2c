/** Figures that must tell what the jobs and batches themselves do, to the last one. Each names the cases in which they do not; pure. */
import { added, type SomeCounts } from '../../ledger/counts.ts'
import type { DayUsage, WorkFigures } from '../../ledger/figures.ts'
import type { FailureCounts } from '../../ledger/judge.ts'
import type { FailureClass } from '../../openapi/job-words.ts'
import type { BatchEvidence, ChunkEnd } from './batch-evidence.ts'
import type { Evidence, JobRow } from './evidence.ts'

type Invariant = (evidence: Evidence) => string[]

const MICRO_USD = 1_000_000
const workOf = ({ kind, model }: { kind: string; model: string }) => `${kind} at ${model}`

/** Counters by name, in one level. */
export type Flat = Record<string, number>

const differences = (where: string, ours: Flat, theirs: Flat): string[] =>
  [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].flatMap((name) => {
    const [told, done] = [ours[name] ?? 0, theirs[name] ?? 0]
    return told === done ? [] : [`${where}: ${told} ${name} are told, ${done} there are`]
  })

export const toldInvariants: Record<string, Invariant> = {
  figures_unlike_work: (evidence) => {
    const { plan, told } = evidence
    const done = workDone(evidence)
    const work = new Map(told.figures?.work.map((one) => [workOf(one), flatOf(one)]))
    return [...new Set([...work.keys(), ...done.keys()])].flatMap((name) =>
      differences(`${plan.id}, ${name}`, work.get(name) ?? {}, done.get(name) ?? {}),
    )
  },

  figures_of_what_is_over: ({ plan, told }) => {
    const left = Object.entries(told.figures?.now ?? { snapshots: 1 }).filter(([, now]) => now)
    return left.map(([name, now]) => `${plan.id}: ${name} is ${now}`)
  },

  days_unlike_figures: ({ plan, told }) => {
    const days = sumBy(told.days, workOf, usageOfDay)
    const work = sumBy(told.figures?.work ?? [], workOf, usageOfWork)
    return [...work.keys()].flatMap((name) =>
      differences(`${plan.id}, ${name}`, days.get(name) ?? {}, work.get(name) ?? {}),
    )
  },

  usage_unlike_days: ({ plan, told }) =>
    (['kind', 'model'] as const).flatMap((group) => {
      const days = sumBy(told.days, (day) => day[group], usageOfDay)
      const { data } = group === 'kind' ? told.byKind : told.byModel
      const usage = sumBy(
        data,
        (row) => row[group] ?? '',
        ({ day: _d, kind: _k, model: _m, cost_usd, ...counts }) => ({
          ...counts,
          cost_micro_usd: Math.round(cost_usd * MICRO_USD),
        }),
      )
      return [...new Set([...days.keys(), ...usage.keys()])].flatMap((name) =>
        differences(`${plan.id}, ${name}`, usage.get(name) ?? {}, days.get(name) ?? {}),
      )
    }),

  /** A ledger that is evicted takes along what it counted in the seconds before: fewer are told, never more. */
  webhooks_told_twice: ({ plan, told }) => {
    const counted = Object.entries(told.figures?.webhooks.attempts ?? {})
    return counted.flatMap(([outcome, n]) => {
      const there = told.attempts[outcome] ?? 0
      return n > there ? [`${plan.id}: ${n} attempts (${outcome}) are told, ${there} there are`] : []
    })
  },
}

function sumBy<T>(rows: readonly T[], nameOf: (row: T) => string, flat: (row: T) => Flat): Map<string, Flat> {
  const sums = new Map<string, Flat>()
  for (const row of rows) sums.set(nameOf(row), added(sums.get(nameOf(row)) ?? {}, flat(row)))
  return sums
}

const usageOfDay = ({ kind: _k, model: _m, ...counts }: DayUsage): Flat => counts

const usageOfWork = (work: WorkFigures): Flat => {
  const { items } = work
  return {
    jobs: work.succeeded + work.failed + work.cancelled,
    items: items.succeeded + items.failed + items.cancelled + items.expired,
    succeeded: work.succeeded + items.succeeded,
    failed: work.failed + items.failed,
    input_tokens: work.inputTokens,
    output_tokens: work.outputTokens,
    cost_micro_usd: work.costMicroUsd,
  }
}

type Done = SomeCounts & Partial<Pick<WorkFigures, 'inputTokens' | 'outputTokens' | 'costMicroUsd'>>

/** By kind and model, what the rows of jobs and chunks add up to. */
export function workDone({ rows, itemRows, batches }: Evidence): Map<string, Flat> {
  return new Map(
    [
      ...sumBy(rows, workOf, (row) => flatOf({ ...attemptsOf(row), ...endOf(row) })),
      ...sumBy(itemRows, workOf, (row) => flatOf(attemptsOf(row))),
      ...sumBy(batches, workOf, (batch) => flatOf(itemsOf(batch))),
    ].reduce(
      (sums, [name, sum]) => sums.set(name, added(sums.get(name) ?? {}, sum)),
      new Map<string, Flat>(),
    ),
  )
}

/** Every retry left its class in the row; the last attempt ended the job, unless its deadline, its budget or its lost leases did. */
function attemptsOf(row: JobRow): Done {
  const retries = JSON.parse(row.failures) as FailureCounts
  const last = failedOf(row)
  const attemptsFailed = last ? added(retries, { [last]: 1 }) : retries
  const attemptsSucceeded = Number(row.status === 'succeeded')
  const queued = Number(row.started_at !== null)
  const attempts = Object.values(attemptsFailed).reduce((sum, n) => sum + n, attemptsSucceeded)
  const sumMs = Math.max(0, (row.started_at ?? row.created_at) - row.created_at)
  return {
    ...{ attemptsSucceeded, attemptsFailed, retries },
    queued: { buckets: [queued], sumMs },
    processed: { buckets: [attempts], sumMs: 0 },
  }
}

function failedOf({ status, error_class, attempt, settled_attempt }: JobRow): FailureClass | null {
  const isGivenUp = error_class === 'deadline_exceeded' || error_class === 'budget_exhausted'
  return status === 'failed' && !isGivenUp && settled_attempt === attempt ? error_class : null
}

const endOf = (row: JobRow): Done => ({
  [row.status]: 1,
  ...(row.error_class && { failures: { [row.error_class]: 1 } }),
  inputTokens: row.input_tokens ?? 0,
  outputTokens: row.output_tokens ?? 0,
  costMicroUsd: row.cost_micro_usd ?? 0,
})

/** What became of a batch's items. */
export const itemsOf = ({ chunks }: BatchEvidence): Done => chunks.map(itemsOfChunk).reduce<Done>(added, {})

/** Jobs that run items book to their chunk. */
function itemsOfChunk(chunk: ChunkEnd): Done {
  const { succeeded, failed, cancelled, expired } = chunk
  const errors = Object.entries(JSON.parse(chunk.errors) as Record<string, string>)
  const failures: Record<string, number> = {}
  for (const [place, name] of errors)
    if (chunk.statuses[Number(place)] === 'f') failures[name] = (failures[name] ?? 0) + 1
  return {
    items: { succeeded, failed, cancelled, expired },
    failures,
    inputTokens: chunk.input_tokens,
    outputTokens: chunk.output_tokens,
    costMicroUsd: chunk.cost_micro_usd,
  }
}

/** In one level; of a histogram how many were observed, and of times before a first attempt the sum. */
function flatOf(done: Done): Flat {
  const { queued, processed, kind: _k, model: _m, ...counts } = done as Partial<WorkFigures>
  const flat: Flat = {
    started: observations(queued?.buckets),
    'ms before a start': queued?.sumMs ?? 0,
    attempts: observations(processed?.buckets),
  }
  for (const [name, value] of Object.entries(counts))
    if (typeof value === 'number') flat[name] = value
    else for (const [part, n] of Object.entries(value)) flat[`${name} ${part}`] = n
  return flat
}

/** How many a histogram's buckets hold. */
export const observations = (buckets: readonly number[] = []) => buckets.reduce((sum, n) => sum + n, 0)
