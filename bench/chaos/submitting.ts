/** The rush: all jobs and batches of a run are submitted in the time that so many jobs take. */
import { setTimeout as sleep } from 'node:timers/promises'
import { planBatches } from './batch-workload.ts'
import { newChance } from './chance.ts'
import type { Customer } from './customer.ts'
import type { TenantPlan } from './tenants.ts'
import { planJobs } from './workload.ts'

const JOBS_PER_SECOND = 60

export async function submitAll(customers: readonly Customer[], jobs: number, seed: number): Promise<void> {
  const of = ({ tenant }: { tenant: TenantPlan }) => customers.find(({ tenantId }) => tenantId === tenant.id)
  const batches = planBatches(jobs, newChance(seed + 2))
  await Promise.all([
    spread(planJobs(jobs, newChance(seed)), jobs, async (job) => of(job)?.submit(job)),
    spread(batches, jobs, async (batch) => of(batch)?.batches.submit(batch)),
  ])
}

/** Over the time that so many jobs take. */
async function spread<T>(all: readonly T[], jobs: number, submit: (one: T) => Promise<void>): Promise<void> {
  const submitting = all.map(async (one, at) => {
    await sleep((at / all.length) * (jobs / JOBS_PER_SECOND) * 1000)
    await submit(one)
  })
  await Promise.all(submitting)
}
