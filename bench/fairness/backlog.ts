/** A backlog of real jobs, accepted through the API, and released only when all of them are there. */
import { job } from '../accepting/job.ts'
import { type Caller, newTenant } from '../support/gateway.ts'
import { fireTimes, keepAlive } from '../support/load.ts'

const CONNECTIONS = 24
const reason = 'benchmark'
/** Lets everything in and next to nothing start. */
const gathering = { requests_per_minute: 1_000_000, jobs_per_minute: 1 }

export interface Backlog {
  /** Puts the tenant under the ordinary plan: from now on its jobs run. */
  release(): Promise<unknown>
}

export async function loadBacklog(operator: Caller, tenantId: string, jobs: number): Promise<Backlog> {
  const tenant = await newTenant(operator, tenantId, {})
  const path = `/ops/v1/tenants/${tenantId}`
  const { limits } = await operator.get<{ limits: object }>(path)
  await operator.patch(path, { limits: gathering, reason })
  const agent = keepAlive(CONNECTIONS)
  const target = { url: tenant.url, shot: () => tenant.shot('POST', '/v1/jobs', job), expect: 202 }
  await fireTimes(target, CONNECTIONS, jobs, agent)
  agent.destroy()
  return { release: () => operator.patch(path, { limits, reason }) }
}
