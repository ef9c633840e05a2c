/** Items of a batch as the API shows them, in lists and as lines of its results. */
import { itemErrorOf } from '../../ledger/batches/item-error.ts'
import type { ItemRow, ItemUsage } from '../../ledger/batches/snapshots.ts'
import { BatchItem, BatchResultLine } from '../../openapi/batches.ts'

export const itemView = (item: ItemRow): BatchItem =>
  BatchItem.parse({
    external_reference: item.reference,
    index: item.index,
    status: item.status,
    chunk: item.chunk,
    error: item.errorClass && itemErrorOf(item.errorClass),
    usage: usageOf(item.usage),
  })

const usageOf = (usage: ItemUsage) => usage && { input_tokens: usage[0], output_tokens: usage[1] }

/** The line of an item that has ended and has none in R2: it never got one, or its content has been deleted. */
export const resultLine = (item: ItemRow): BatchResultLine =>
  BatchResultLine.parse({
    external_reference: item.reference,
    index: item.index,
    status: item.status,
    ...(item.status === 'succeeded'
      ? { output: null }
      : { error: item.errorClass && itemErrorOf(item.errorClass) }),
    usage: usageOf(item.usage),
  })
