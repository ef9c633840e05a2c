/**
 * What a chunk takes of memory: an estimate, by what is known of it before its content is read. Pure.
 */
import type { KindName } from '../../catalog/kind.ts'
import { findModel, type Model } from '../../catalog/models.ts'
import type { ChunkOrder } from '../../ledger/batches/protocol.ts'

/** It is held as values, and as what is made of them for the provider. */
const COPIES = 2
/** A number of an embedding: a value, and its digits in the results. */
const BYTES_PER_NUMBER = 8 + 20
/** Of which an item to embed is taken to consist of. */
const BYTES_PER_TEXT = 500
const BYTES_PER_TOKEN = 4
/** What is written about a text is rarely longer than the text and this. */
const BYTES_MORE = 2048

type Sized = Pick<ChunkOrder, 'kind' | 'model'> & { readonly items: readonly { readonly bytes: number }[] }

export const sizeSent = ({ items }: Sized): number =>
  COPIES * items.reduce((sum, { bytes }) => sum + bytes, 0)

/** With its answer, checked against what was sent. */
export function sizeAnswered({ kind, model: id, items }: Sized): number {
  const model = findModel(id)
  return items.reduce((sum, { bytes }) => sum + bytes + (model ? answerBytes(kind, model, bytes) : 0), 0)
}

/** Of the answer to an item of so many bytes. */
function answerBytes(kind: KindName, { dimensions, maxOutputTokens }: Model, bytes: number): number {
  if (kind === 'embed') return Math.ceil(bytes / BYTES_PER_TEXT) * (dimensions ?? 0) * BYTES_PER_NUMBER
  const written = bytes + BYTES_MORE
  return COPIES * (maxOutputTokens > 0 ? Math.min(written, maxOutputTokens * BYTES_PER_TOKEN) : written)
}
