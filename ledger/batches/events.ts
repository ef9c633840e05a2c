/** What a batch tells its customer of. Items tell nothing by themselves. */
import type { BatchStatus } from '../../openapi/batch-states.ts'
import type { EventType } from '../../openapi/webhooks.ts'
import type { LedgerContext } from '../context.ts'
import { append } from '../events.ts'
import { batchUrls } from '../wire.ts'
import { figuresOf } from './figures.ts'
import type { BatchRow } from './rows.ts'

const typeOf: Partial<Record<BatchStatus, EventType>> = {
  accepted: 'batch.accepted',
  completed: 'batch.result_available',
  partially_failed: 'batch.result_available',
  failed: 'batch.failed',
  expired: 'batch.expired',
  cancelled: 'batch.cancelled',
}

/** Appends the event of the batch's present status. */
export function appendBatchEvent(ctx: LedgerContext, batch: BatchRow): void {
  const type = typeOf[batch.status]
  if (!type) return
  const data = {
    id: batch.id,
    object: 'batch',
    kind: batch.kind,
    status: batch.status,
    sequence: batch.sequence,
    counts: figuresOf(ctx, batch).counts,
    ...batchUrls(ctx.settings.baseUrl, batch.id),
    metadata: batch.metadata,
  }
  append(ctx, { type, subjectId: batch.id, data })
}
