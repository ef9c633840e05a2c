/** What was checked of a batch, and what came of it: made when it ends, out of its row and its chunks'. Pure. */
import type { KindName } from '../../catalog/kind.ts'
import { type ItemClass, itemClasses } from '../../openapi/batch-states.ts'
import type { batchChunks, batches, Findings, ReportCheck } from '../schema.ts'

export type ReportedBatch = Pick<
  typeof batches.$inferSelect,
  'kind' | 'modelVersion' | 'items' | 'invalidItems' | 'createdAt' | 'finishedAt' | 'deadlineAt'
>

export type ReportedChunk = Pick<
  typeof batchChunks.$inferSelect,
  | 'items'
  | 'statuses'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'expired'
  | 'errors'
  | 'findings'
  | 'modelVersion'
>

/** In this order. */
export function reportChecks(batch: ReportedBatch, chunks: readonly ReportedChunk[]): ReportCheck[] {
  const findings = chunks.flatMap((chunk) => chunk.findings ?? [])
  return [
    countsAddUp(batch, chunks),
    check('references_known', unknownOf(findings), 'results belong to no item of their chunk'),
    named('references_complete', findings, 'missing', 'without a result'),
    named('references_unique', findings, 'duplicate', 'with more than one result'),
    named('outputs_present', findings, 'empty', 'with an empty output'),
    named('outputs_valid', findings, 'invalid', 'with an output that breaks the contract of the kind'),
    ...ifSummaries(batch.kind, findings),
    modelVersionCheck(batch, chunks),
    check('lines_valid', batch.invalidItems, 'lines of the source are no items'),
    inTime(batch, chunks),
  ]
}

const ifSummaries = (kind: KindName, findings: readonly Findings[]) =>
  kind === 'summarize'
    ? [
        named(
          'summaries_founded',
          findings,
          'unfounded',
          'with numbers or names that the input does not hold',
        ),
      ]
    : []

const check = (name: string, count: number, fault: string): ReportCheck => ({
  name,
  passed: count === 0,
  detail: count === 0 ? null : `${count} ${fault}.`,
})

const NAMED = 5

/** A check that says of which items. */
function named(
  name: string,
  findings: readonly Findings[],
  finding: Exclude<keyof Findings, 'unknown'>,
  fault: string,
): ReportCheck {
  const references = findings.flatMap((one) => one[finding])
  const first = references.slice(0, NAMED).join(', ')
  const all = references.length > NAMED ? `${first}, …` : first
  return check(name, references.length, `${references.length === 1 ? 'item' : 'items'} ${fault}: ${all}`)
}

const sumOf = <T>(all: readonly T[], count: (one: T) => number) =>
  all.reduce((sum, one) => sum + count(one), 0)

const unknownOf = (findings: readonly Findings[]) => sumOf(findings, ({ unknown }) => unknown)

const endedOf = ({ succeeded, failed, cancelled, expired }: ReportedChunk) =>
  succeeded + failed + cancelled + expired

function countsAddUp(batch: ReportedBatch, chunks: readonly ReportedChunk[]): ReportCheck {
  const ended = sumOf(chunks, endedOf)
  const agree = chunks.every(agreesWithItself) && ended === batch.items
  return {
    name: 'counts_add_up',
    passed: agree,
    detail: agree ? null : `${ended} of ${batch.items} items are accounted for.`,
  }
}

/** Whether a chunk's counters say what the states of its items say. */
function agreesWithItself(chunk: ReportedChunk): boolean {
  const count = (status: string) => chunk.statuses.split(status).length - 1
  return (
    chunk.statuses.length === chunk.items &&
    count('s') === chunk.succeeded &&
    count('f') === chunk.failed &&
    count('c') === chunk.cancelled &&
    count('e') === chunk.expired
  )
}

/** Answers of two versions are not to be compared with each other. */
function modelVersionCheck({ modelVersion }: ReportedBatch, chunks: readonly ReportedChunk[]): ReportCheck {
  const versions = modelVersions(chunks)
  const other = versions.some((version) => isOther(version, modelVersion))
  const passed = versions.length <= 1 && !other
  return {
    name: 'model_version',
    passed,
    detail: passed ? null : `Asked for ${modelVersion}, answered by ${versions.join(', ')}.`,
  }
}

const date = /\d{4}-?\d{2}-?\d{2}/

/** Providers name versions differently; told apart are those that name different days. */
function isOther(answered: string, asked: string): boolean {
  const [theirs, ours] = [date.exec(answered)?.[0], date.exec(asked)?.[0]]
  return theirs !== undefined && ours !== undefined && theirs.replaceAll('-', '') !== ours.replaceAll('-', '')
}

function inTime({ finishedAt, deadlineAt }: ReportedBatch, chunks: readonly ReportedChunk[]): ReportCheck {
  const expired = sumOf(chunks, (chunk) => chunk.expired)
  if (expired > 0) return check('in_time', expired, 'items did not finish before the deadline')
  const passed = finishedAt !== null && finishedAt <= deadlineAt
  return { name: 'in_time', passed, detail: passed ? null : 'Finished after the deadline.' }
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

/** Null while the batch runs. */
export const durationMs = ({ createdAt, finishedAt }: Pick<ReportedBatch, 'createdAt' | 'finishedAt'>) =>
  finishedAt === null ? null : finishedAt - createdAt
