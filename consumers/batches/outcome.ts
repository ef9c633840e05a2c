/** What one item of a chunk came to, by the provider's answers to it: nothing is taken that was not checked. Pure. */
import { isFounded } from '../../catalog/founded.ts'
import type { KindName } from '../../catalog/kind.ts'
import { kindOf, kinds } from '../../catalog/kinds.ts'
import type { Model } from '../../catalog/models.ts'
import type { ChunkItem } from '../../ledger/batches/protocol.ts'
import type { Findings } from '../../ledger/schema.ts'
import type { ItemClass } from '../../openapi/batch-states.ts'
import type { Match } from './matching.ts'

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

/** What is found wrong with a result, beside a failure that the provider tells. */
export type Fault = Exclude<keyof Findings, 'unknown' | 'unfounded'>

export type Outcome =
  | { readonly status: 'succeeded'; readonly output: unknown; readonly founded: boolean }
  | { readonly status: 'failed'; readonly class: ItemClass; readonly fault: Fault | null }

const failed = (failure: ItemClass, fault: Fault | null): Outcome => ({
  status: 'failed',
  class: failure,
  fault,
})

/** What became of an item, by the answers that are its own. */
export function outcomeOf(
  chunk: CheckedChunk,
  { input }: CheckedItem,
  { answers, contradicts }: Match,
): Outcome {
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
export function isEmpty(output: unknown, depth = DEPTH): boolean {
  if (output === null || output === undefined) return true
  if (typeof output === 'string') return output.trim() === ''
  if (typeof output !== 'object' || depth === 0) return false
  return Object.values(output).every((value) => isEmpty(value, depth - 1))
}

const Dimensions = kinds.embed.output.pick({ dimensions: true })

/** Vectors of another length than the model's come from another model. */
function hasOtherDimensions({ kind, model, params }: CheckedChunk, output: unknown): boolean {
  if (kind !== 'embed' || model.dimensions === null) return false
  const asked = kinds.embed.params.parse(params).dimensions ?? model.dimensions
  return Dimensions.parse(output).dimensions !== asked
}

export function isFoundedIn(kind: KindName, output: unknown, input: unknown): boolean {
  if (kind !== 'summarize') return true
  const source = kinds.summarize.input.parse(input)
  return !('text' in source) || isFounded(kinds.summarize.output.parse(output).summary, source.text)
}
