/** Items of a batch as the API shows them, in lists and as lines of its results. */
import { findModel, type Model } from '../../catalog/models.ts'
import {
  endWithout,
  type ItemEnd,
  itemError,
  itemUsage,
  resultLine,
} from '../../ledger/batches/result-line.ts'
import type { BatchSnapshot, ItemRow } from '../../ledger/batches/snapshots.ts'
import type { BatchItem } from '../../openapi/batch-contents.ts'

/** The model that a batch runs on, whose prices its items go by; null where it is in the catalog no more. */
export const modelOf = ({ model }: BatchSnapshot): Model | null => findModel(model) ?? null

/** As it comes over RPC, whose types know of arrays, not of pairs. */
export type Item = Omit<ItemRow, 'usage'> & { readonly usage: readonly number[] | null }

export const itemView = (item: Item, model: Model | null): BatchItem => ({
  external_reference: item.reference,
  index: item.index,
  status: item.status,
  chunk: item.chunk,
  error: item.errorClass && itemError(item.errorClass),
  usage: item.usage && model && itemUsage(tokensIn(item.usage), model),
})

const tokensIn = ([inputTokens = 0, outputTokens = 0]: readonly number[]) => ({ inputTokens, outputTokens })

/** The line of an item that has none in R2: it never got one, or its content has been deleted. Empty for one that is pending. */
export function lineOf({ status, errorClass, ...item }: Item, model: Model | null): string {
  if (status === 'pending') return ''
  const end: ItemEnd = status === 'succeeded' ? { status, output: null } : endWithout(status, errorClass)
  return resultLine(item, end, item.usage && tokensIn(item.usage), model)
}
