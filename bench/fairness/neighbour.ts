/** How long single jobs take, one after another, as their customer sees it: from the request to the status that says it ended. */
import { setTimeout as sleep } from 'node:timers/promises'
import { job } from '../accepting/job.ts'
import type { Caller } from '../support/gateway.ts'

const POLL_MS = 5
/** Up to this long between two jobs, so that they meet the other work at any moment of its rhythm. */
const PAUSE_MS = 150

export async function timeJobs(tenant: Caller, jobs: number): Promise<number[]> {
  const times: number[] = []
  for (let done = 0; done < jobs; done++) {
    await sleep(Math.random() * PAUSE_MS)
    times.push(await timeJob(tenant))
  }
  return times
}

async function timeJob(tenant: Caller): Promise<number> {
  const startedAt = performance.now()
  const { id } = await tenant.post<{ id: string }>('/v1/jobs', job)
  for (;;) {
    const { terminal } = await tenant.get<{ terminal: boolean }>(`/v1/jobs/${id}`)
    if (terminal) return performance.now() - startedAt
    await sleep(POLL_MS)
  }
}
