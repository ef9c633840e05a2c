import { embedItems, ndjson, uploadedItems } from './batches.ts'
import type { Tenant } from './tenant.ts'
import { uploaded } from './uploads.ts'

/**
 * A batch of eight items whose Workflow takes every way: it is planned from a file, goes to the provider in two chunks, and has a chunk
 * that runs as jobs, since its item is in a file.
 */
export async function allWaysOrder(acme: Tenant): Promise<object> {
  const { id: file_id } = await uploaded(acme, 'All human beings are born free.', 'text/plain')
  const items = [
    ...embedItems(6),
    { external_reference: 'item-6', input: { file_id } },
    { ...embedItems(8).at(-1), confidentiality: 'public' },
  ]
  return { kind: 'embed', items_file_id: await uploadedItems(acme, ndjson(items)) }
}
