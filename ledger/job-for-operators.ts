/** A job as operators see it: never content. */
import { type DeliverySnapshot, deliveriesAbout } from './delivery-lists.ts'
import { type Hindered, type JobSnapshot, snapshot } from './job-snapshots.ts'
import { findJob, type JobRecord } from './jobs.ts'
import { spansOf } from './spans.ts'
import type { Db } from './store.ts'

/** What operators see of a job beyond what its customer does: how its attempts went. */
export interface JobForOperators
  extends Pick<JobRecord, 'failures' | 'lostLeases' | 'unknownOutcomes' | 'lastErrorClass'> {
  readonly job: JobSnapshot
  /** Of the events that tell of it. */
  readonly deliveries: DeliverySnapshot[]
}

export function readJobForOperators(db: Db, id: string, hindered: Hindered): JobForOperators | null {
  const job = findJob(db, id)
  if (!job) return null
  const { failures, lostLeases, unknownOutcomes, lastErrorClass } = job
  const deliveries = deliveriesAbout(db, id, spansOf(job))
  return { job: snapshot(job, hindered), failures, lostLeases, unknownOutcomes, lastErrorClass, deliveries }
}
