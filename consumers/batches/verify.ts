/** Verifies the answer to a chunk, item by item: nothing counts as a success that was not checked. Pure. */
import { isFounded } from '../../catalog/founded.ts'
import type { KindName } from '../../catalog/kind.ts'
import { kindOf, kinds } from '../../catalog/kinds.ts'
import type { Model } from '../../catalog/models.ts'
import type { ChunkAnswer, ChunkItem } from '../../ledger/batches/protocol.ts'
import { resultLine } from '../../ledger/batches/result-line.ts'
import type { Findings } from '../../ledger/schema.ts'
import type { TokenUsage } from '../../ledger/usage.ts'
import type { ItemClass } from '../../openapi/batch-states.ts'
import type { ItemAnswer } from '../batch-provider.ts'
import { type Match, matchAnswers } from './matching.ts'

export interface CheckedItem extends Pick<ChunkItem, 'position' | 'index' | 'reference' | 'key'> {
  /** As it was sent. */
  readonly input: unknown
}

export interface CheckedChunk {
  readonly kind: KindName
  readonly model: Model
  readonly params: unknown
  /** All of them, in the order in which they were sent. */
  readonly items: readonly CheckedItem[]
}

/** `invalid_output`: nothing of the answer is to be understood, and the chunk has failed as a whole. */
export type ChunkVerdict =
  | { readonly kind: 'invalid_output' }
  | ({ readonly kind: 'verified' } & VerifiedChunk)

export interface VerifiedChunk extends Pick<ChunkAnswer, 'statuses' | 'errors' | 'usages' | 'findings'> {
  /** NDJSON, a line for each item. */
  readonly lines: string
}

type Fault = Exclude<keyof Findings, 'unknown' | 'unfounded'>

type Outcome =
  | { readonly status: 'succeeded'; readonly output: unknown; readonly founded: boolean }
  | { readonly status: 'failed'; readonly class: ItemClass; readonly fault: Fault | null }

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
  if (!results.some(isUnderstood)) return { kind: 'invalid_output' }
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

const failed = (failure: ItemClass, fault: Fault | null): Outcome => ({
  status: 'failed',
  class: failure,
  fault,
})

function outcomeOf(chunk: CheckedChunk, { input }: CheckedItem, { answers, contradicts }: Match): Outcome {
  const [answer, another] = answers
  if (!answer) return failed('missing_result', 'missing')
  if (another) return failed('duplicate_result', 'duplicate')
  if (contradicts) return failed('invalid_output', 'invalid')
  if (answer.kind === 'failed') return failed(answer.class, null)
  if (isEmpty(answer.output)) return failed('invalid_output', 'empty')
  const verified = kindOf(chunk.kind).verify(answer.output, input, chunk.params)
  if (!verified.ok || hasOtherDimensions(chunk, verified.output)) return failed('invalid_output', 'invalid')
  return {
    status: 'succeeded',
    output: verified.output,
    founded: isFoundedIn(chunk.kind, verified.output, input),
  }
}

const DEPTH = 2

/** Nothing, or a form around nothing. */
function isEmpty(output: unknown, depth = DEPTH): boolean {
  if (output === null || output === undefined) return true
  if (typeof output === 'string') return output.trim() === ''
  if (typeof output !== 'object' || depth === 0) return false
  return Object.values(output).every((value) => isEmpty(value, depth - 1))
}

/** Vectors of another length than the model's come from another model. */
function hasOtherDimensions({ kind, model, params }: CheckedChunk, output: unknown): boolean {
  if (kind !== 'embed' || model.dimensions === null) return false
  const asked = kinds.embed.params.parse(params).dimensions ?? model.dimensions
  return kinds.embed.output.parse(output).dimensions !== asked
}

/** Whether a summary says nothing in numbers and names that its text does not. */
export function isFoundedIn(kind: KindName, output: unknown, input: unknown): boolean {
  if (kind !== 'summarize') return true
  const source = kinds.summarize.input.parse(input)
  return !('text' in source) || isFounded(kinds.summarize.output.parse(output).summary, source.text)
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
