/** Verifies the answer to a chunk, item by item: nothing counts as a success that was not checked. Pure. */
import type { Model } from '../../catalog/models.ts'
import type { ChunkAnswer } from '../../ledger/batches/protocol.ts'
import { resultLine } from '../../ledger/batches/result-line.ts'
import type { Findings } from '../../ledger/schema.ts'
import type { TokenUsage } from '../../ledger/usage.ts'
import type { ItemClass } from '../../openapi/batch-states.ts'
import type { ItemAnswer } from '../batch-provider.ts'
import { type Match, matchAnswers } from './matching.ts'
import { type CheckedChunk, type CheckedItem, type Fault, type Outcome, outcomeOf } from './outcome.ts'

export type { CheckedChunk, CheckedItem }

/**
 * `invalid_output`: nothing of the answer is to be understood, and the chunk has failed as a whole. One without any results is
 * understood: they are missing.
 */
export type ChunkVerdict =
  | { readonly kind: 'invalid_output' }
  | ({ readonly kind: 'verified' } & VerifiedChunk)

export interface VerifiedChunk extends Pick<ChunkAnswer, 'statuses' | 'errors' | 'usages' | 'findings'> {
  /** NDJSON, a line for each item. */
  readonly lines: string
}

interface Result {
  readonly item: CheckedItem
  readonly outcome: Outcome
  readonly usage: TokenUsage | null
}

export function verifyChunk(chunk: CheckedChunk, answers: readonly ItemAnswer[]): ChunkVerdict {
  const { matches, unknown } = matchAnswers(
    chunk.items.map(({ key }) => key),
    answers,
  )
  const results = chunk.items.map((item, place): Result => {
    const match = matches[place] ?? { answers: [], contradicts: false }
    return { item, outcome: outcomeOf(chunk, item, match), usage: usageOf(match) }
  })
  if (answers.length > 0 && !results.some(isUnderstood)) return { kind: 'invalid_output' }
  return { kind: 'verified', ...verdictOf(results, unknown, chunk.model) }
}

/** Whether the provider said something of the item, be it that it failed. */
const isUnderstood = ({ outcome }: Result) =>
  outcome.status === 'succeeded' || outcome.fault === null || outcome.fault === 'duplicate'

function verdictOf(results: readonly Result[], unknown: number, model: Model): VerifiedChunk {
  return {
    statuses: results.map(({ outcome }) => (outcome.status === 'succeeded' ? 's' : 'f')).join(''),
    errors: errorsOf(results),
    usages: results.some(({ usage }) => usage)
      ? results.map(({ usage }) => usage && [usage.inputTokens, usage.outputTokens])
      : null,
    findings: findingsOf(results, unknown),
    lines: results.map(({ item, outcome, usage }) => resultLine(item, outcome, usage, model)).join(''),
  }
}

const errorsOf = (results: readonly Result[]): Record<number, ItemClass> =>
  Object.fromEntries(
    results.flatMap(({ item, outcome }) =>
      outcome.status === 'failed' ? [[item.position, outcome.class] as const] : [],
    ),
  )

function findingsOf(results: readonly Result[], unknown: number): Findings {
  const referencesOf = (found: (outcome: Outcome) => boolean) =>
    results.filter(({ outcome }) => found(outcome)).map(({ item }) => item.reference)
  const withFault = (fault: Fault) =>
    referencesOf((outcome) => outcome.status === 'failed' && outcome.fault === fault)
  return {
    unknown,
    missing: withFault('missing'),
    duplicate: withFault('duplicate'),
    empty: withFault('empty'),
    invalid: withFault('invalid'),
    unfounded: referencesOf((outcome) => outcome.status === 'succeeded' && !outcome.founded),
  }
}

/** Of all answers to an item: each was work done. */
function usageOf({ answers }: Match): TokenUsage | null {
  const counted = answers.flatMap(({ usage }) => usage ?? [])
  if (counted.length === 0) return null
  return {
    inputTokens: counted.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: counted.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  }
}
