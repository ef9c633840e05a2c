/** What a chunk takes of memory: an estimate, by what is known of it before its content is read. Pure. */
import { kinds } from '../../catalog/kinds.ts'
import { findModel, type Model } from '../../catalog/models.ts'
import { NUMBER_BYTES } from '../../ledger/batches/item.ts'
import { MAX_ANSWER_BYTES } from '../../ledger/batches/plan.ts'
import type { ChunkOrder } from '../../ledger/batches/protocol.ts'

/** As values, and as the text that they come from or go to. */
const COPIES = 2
/** A text to embed, of which an item may hold several. */
const TEXT_BYTES = 500
const TOKEN_BYTES = 4
/** What is written about a text is rarely longer than the text and this. */
const MORE_BYTES = 2048

type Sized = Pick<ChunkOrder, 'kind' | 'model' | 'params'> & {
  readonly items: readonly Pick<ChunkOrder['items'][number], 'bytes'>[]
}

export const sizeSent = ({ items }: Sized): number => COPIES * sum(items.map(({ bytes }) => bytes))

/** With its answer, checked against what was sent. */
export function sizeAnswered(chunk: Sized): number {
  const sent = chunk.items.map(({ bytes }) => bytes)
  const model = findModel(chunk.model)
  if (!model) return sum(sent)
  return sum(sent) + (chunk.kind === 'embed' ? vectors(chunk, model, sent) : texts(model, sent))
}

/** The plan sees to it that there are no more. */
function vectors({ params }: Sized, model: Model, sent: readonly number[]): number {
  const { dimensions = model.dimensions ?? 0 } = kinds.embed.params.parse(JSON.parse(params ?? '{}'))
  const count = sum(sent.map((bytes) => Math.ceil(bytes / TEXT_BYTES)))
  return Math.min(MAX_ANSWER_BYTES, count * dimensions * NUMBER_BYTES)
}

function texts({ maxOutputTokens }: Model, sent: readonly number[]): number {
  const most = maxOutputTokens > 0 ? maxOutputTokens * TOKEN_BYTES : Number.POSITIVE_INFINITY
  return COPIES * sum(sent.map((bytes) => Math.min(most, bytes + MORE_BYTES)))
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
