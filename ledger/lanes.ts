/** Which queue a job runs on. */
import { findModel } from '../catalog/models.ts'
import type { JobRecord } from './jobs.ts'

export const jobQueues = ['jobs', 'jobs-slow', 'jobs-solo'] as const
export type JobQueue = (typeof jobQueues)[number]

/** After a lost lease a job runs alone, so that an input that kills its isolate takes no neighbour along twice. */
export function laneOf({ lostLeases, model }: Pick<JobRecord, 'lostLeases' | 'model'>): JobQueue {
  if (lostLeases > 0) return 'jobs-solo'
  return findModel(model)?.slow ? 'jobs-slow' : 'jobs'
}
