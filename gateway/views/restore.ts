/** A restore as operators see it. */
import type { z } from '@hono/zod-openapi'
import type { TenantRow } from '../../ledger/directory/operations.ts'
import type { Revised } from '../../ledger/directory/restores.ts'
import { timestamp } from '../../ledger/wire.ts'
import type { Restore } from '../../openapi/restores.ts'

const forgotten = [
  'Jobs, batches, files and endpoints that were made after the point are gone: their URLs answer 404, and their idempotency keys are free.',
  'What ended after the point is unfinished again: it runs once more after the release, is charged once more, and its webhooks come again under new event IDs.',
  'Usage, budget and metrics of the tenant fall back to the point; what providers charged since stays theirs.',
  'Content that was deleted after the point stays deleted, though rows may name it.',
]

export const restoreView = (
  { id, restoreEpoch, held }: TenantRow,
  to: number,
  now: number,
  { dropped, reopened }: Revised,
): z.infer<typeof Restore> => ({
  object: 'restore',
  tenant_id: id,
  to: timestamp(to),
  restored_at: timestamp(now),
  restore_epoch: restoreEpoch,
  held,
  dead_letters_dropped: dropped,
  dead_letters_reopened: reopened,
  forgotten,
})
