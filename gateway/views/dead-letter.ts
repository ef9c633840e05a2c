/** Dead letters as operators see them. */
import type { DeadLetterRow } from '../../ledger/directory/dead-letters.ts'
import { standing } from '../../ledger/directory/standing.ts'
import { nullableTimestamp, timestamp } from '../../ledger/wire.ts'
import type { DeadLetter } from '../../openapi/dead-letters.ts'

export function deadLetterView(row: DeadLetterRow, now: number): DeadLetter {
  const { redrivable, reason, conditions } = standing(row, now)
  return {
    id: row.id,
    object: 'dead_letter',
    queue: row.queue,
    tenant_id: row.tenantId,
    job_id: row.jobId,
    batch_id: row.batchId,
    delivery_id: row.deliveryId,
    schema_version: row.schemaVersion,
    class: row.class,
    attempts: row.attempts,
    message_sha256: row.messageSha256,
    status: row.status,
    redrivable,
    redrive_reason: reason,
    redrive_conditions: conditions,
    created_at: timestamp(row.createdAt),
    review_by: timestamp(row.reviewBy),
    redriven_by: row.redrivenBy,
    redriven_at: nullableTimestamp(row.redrivenAt),
    redrive_note: row.redriveNote,
    new_job_id: row.newJobId,
  }
}
