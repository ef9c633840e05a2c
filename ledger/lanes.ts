/** Which queue a job runs on. */
import { findModel } from '../catalog/models.ts'
import type { JobRecord } from './jobs.ts'

export const jobQueues = ['jobs', 'jobs-bulk', 'jobs-slow', 'jobs-solo'] as const
export type JobQueue = (typeof jobQueues)[number]

/** Two full batches: what a customer sends in one go by hand stays below, a backlog is far above. */
const CROWD = 16

/** Whether a tenant with so many unfinished jobs travels apart from those with few, who would else wait behind all it has released. */
export const isCrowd = (openJobs: number) => openJobs > CROWD

/** After a lost lease a job runs alone, so that an input that kills its isolate takes no neighbour along twice. */
export function laneOf(
  { lostLeases, model }: Pick<JobRecord, 'lostLeases' | 'model'>,
  crowd = false,
): JobQueue {
  if (lostLeases > 0) return 'jobs-solo'
  if (findModel(model)?.slow) return 'jobs-slow'
  return crowd ? 'jobs-bulk' : 'jobs'
}
