/** Jobs as operators see them. */
import type { DeadLetterRow } from '../../ledger/directory/dead-letters.ts'
import type { JobForOperators } from '../../ledger/job-for-operators.ts'
import { nullableTimestamp } from '../../ledger/wire.ts'
import type { FailureClass } from '../../openapi/job-words.ts'
import type { OperatorJob } from '../../openapi/operator-jobs.ts'
import type { Found } from '../across-ledgers.ts'
import { deadLetterView } from './dead-letter.ts'
import { operatorDeliveryView } from './delivery.ts'
import { jobView } from './job.ts'

export function operatorJobView(
  { tenantId, found }: Found<JobForOperators>,
  letter: DeadLetterRow | undefined,
  now: number,
): OperatorJob {
  const { job, failures, lostLeases, unknownOutcomes, lastErrorClass, deliveries } = found
  const { metadata, status_url: _, result_url: __, ...shown } = jobView(job, '')
  return {
    ...shown,
    tenant_id: tenantId,
    metadata_keys: Object.keys(metadata),
    failures: Object.entries(failures).map(([name, count]) => ({ class: name as FailureClass, count })),
    last_error_class: lastErrorClass,
    lost_leases: lostLeases,
    released: job.released,
    unknown_outcomes: unknownOutcomes,
    lease_ends_at: nullableTimestamp(job.status === 'running' ? job.dueAt : null),
    dead_letter: letter ? deadLetterView(letter, now) : null,
    deliveries: deliveries.map(operatorDeliveryView),
  }
}
