/** What was checked of a batch, and what came of it: made when it ends, out of its row and its chunks'. Pure. */
import { type ItemClass, itemClasses } from '../../openapi/batch-states.ts'
import type { batchChunks, batches, Findings, ReportCheck } from '../schema.ts'
import { countsAddUp, type Noun, none, noneOf, withinBudget } from './report-checks.ts'

type BatchRow = typeof batches.$inferSelect
type ChunkRow = typeof batchChunks.$inferSelect

/** What kept lines, items or the whole batch from running. */
type Refusals = 'invalidItems' | 'duplicateItems' | 'unaffordable'

export type ReportedBatch = Pick<
  BatchRow,
  'kind' | 'modelVersion' | 'items' | Refusals | 'createdAt' | 'finishedAt' | 'deadlineAt'
>

type Counters = 'items' | 'statuses' | 'succeeded' | 'failed' | 'cancelled' | 'expired'
export type ReportedChunk = Pick<ChunkRow, Counters | 'errors' | 'findings' | 'modelVersion'>

/** In this order; `summaries_founded` only where there are summaries. */
export function reportChecks(batch: ReportedBatch, chunks: readonly ReportedChunk[]): ReportCheck[] {
  const findings = chunks.flatMap((chunk) => chunk.findings ?? [])
  const checks = [
    countsAddUp(batch.items, chunks),
    none('references_known', sumOf(findings, 'unknown'), foreign),
    ...itemChecks(chunks, findings),
    modelVersionCheck(batch, chunks),
    none('lines_valid', batch.invalidItems, noItem),
    none('items_not_open_elsewhere', batch.duplicateItems, openElsewhere),
    withinBudget(batch.unaffordable),
    inTime(batch, chunks),
  ]
  return checks.filter(({ name }) => name !== 'summaries_founded' || batch.kind === 'summarize')
}

const foreign: Noun = ['result belongs to no item of its chunk', 'results belong to no item of their chunk']
const noItem: Noun = ['line of the source is no item', 'lines of the source are no items']
const openElsewhere: Noun = ['item was open in another batch', 'items were open in another batch']
const unfinished: Noun = [
  'item did not finish before the deadline',
  'items did not finish before the deadline',
]

/**
 * Checks of items. How many are at fault is what the items' own errors say, which are there of chunks that failed as a whole too;
 * findings have the names of those that were looked at one by one, and what is no error of an item.
 */
function itemChecks(chunks: readonly ReportedChunk[], findings: readonly Findings[]): ReportCheck[] {
  const named = (name: Exclude<keyof Findings, 'unknown'>) => findings.flatMap((one) => one[name])
  const failed = errorClasses(chunks)
  const [empty, unfounded] = [named('empty'), named('unfounded')]
  const invalid = (failed.invalid_output ?? 0) - empty.length
  return [
    noneOf('references_complete', failed.missing_result ?? 0, named('missing'), 'without a result'),
    noneOf(
      'references_unique',
      failed.duplicate_result ?? 0,
      named('duplicate'),
      'with more than one result',
    ),
    noneOf('outputs_present', empty.length, empty, 'with an empty output'),
    noneOf('outputs_valid', invalid, named('invalid'), 'with an output that breaks the contract of the kind'),
    noneOf('summaries_founded', unfounded.length, unfounded, unfoundedFault),
  ]
}

const unfoundedFault = 'with numbers or names that the input does not hold'

const sumOf = <N extends string>(all: readonly Record<N, number>[], name: N) =>
  all.reduce((sum, one) => sum + one[name], 0)

/** Answers of two versions are not to be compared with each other. */
function modelVersionCheck({ modelVersion }: ReportedBatch, chunks: readonly ReportedChunk[]): ReportCheck {
  const versions = modelVersions(chunks)
  const passed = versions.length <= 1 && !versions.some((version) => isOther(version, modelVersion))
  return {
    name: 'model_version',
    passed,
    detail: passed ? null : `Asked for ${modelVersion}, answered by ${versions.join(', ')}.`,
  }
}

/** Providers name versions differently; told apart are those that name different days. */
function isOther(answered: string, asked: string): boolean {
  const [theirs, ours] = [dayOf(answered), dayOf(asked)]
  return theirs !== undefined && ours !== undefined && theirs !== ours
}

const dayOf = (version: string) => /\d{4}-?\d{2}-?\d{2}/.exec(version)?.[0].replaceAll('-', '')

function inTime({ finishedAt, deadlineAt }: ReportedBatch, chunks: readonly ReportedChunk[]): ReportCheck {
  const expired = none('in_time', sumOf(chunks, 'expired'), unfinished)
  const isLate = finishedAt === null || finishedAt > deadlineAt
  return expired.passed && isLate
    ? { name: 'in_time', passed: false, detail: 'Not finished before the deadline.' }
    : expired
}

/** The versions that answered, each once, as far as providers tell. */
export const modelVersions = (chunks: readonly Pick<ReportedChunk, 'modelVersion'>[]): string[] => [
  ...new Set(chunks.flatMap(({ modelVersion }) => modelVersion ?? [])),
]

/** How many items failed of each class. */
export function errorClasses(
  chunks: readonly Pick<ReportedChunk, 'errors'>[],
): Partial<Record<ItemClass, number>> {
  const failed = chunks.flatMap(({ errors }) => Object.values(errors))
  const counts = itemClasses.map((name) => [name, failed.filter((one) => one === name).length] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

/** Of what there is to tell of lines and of the batch as a whole, whether the report has room for it or not. */
export const errorCount = ({ invalidItems, duplicateItems, unaffordable }: Pick<BatchRow, Refusals>) =>
  invalidItems + duplicateItems + (unaffordable === null ? 0 : 1)

/** Null while the batch runs. */
export const durationMs = ({ createdAt, finishedAt }: Pick<ReportedBatch, 'createdAt' | 'finishedAt'>) =>
  finishedAt === null ? null : finishedAt - createdAt
