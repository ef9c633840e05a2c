/** Tenants whose jobs are accepted and next to never run: all they make is events. */
import { job } from '../accepting/job.ts'
import { type Caller, newTenant } from '../support/gateway.ts'
import { fireTimes, keepAlive } from '../support/load.ts'
import { type Listener, listen } from './listener.ts'
import type { Behaviour } from './receivers.ts'
import type { Rig } from './rig.ts'

const CONNECTIONS = 24
const gathering = { requests_per_minute: 1_000_000, jobs_per_minute: 1 }

export interface Backlog {
  readonly tenant: Caller
  readonly listeners: readonly Listener[]
}

/** A fresh tenant with `endpoints` endpoints, each of them owed the `job.accepted` of `jobs` jobs. */
export async function newBacklog(
  { operator, receivers }: Rig,
  tenantId: string,
  behaviour: Behaviour,
  endpoints: number,
  jobs: number,
): Promise<Backlog> {
  const tenant = await newTenant(operator, tenantId, gathering)
  const listeners = await Promise.all(
    Array.from({ length: endpoints }, (_, at) =>
      listen(tenant, tenantId, receivers.urlFor(behaviour, `${tenantId}/${at}`), ['job.accepted']),
    ),
  )
  const agent = keepAlive(CONNECTIONS)
  const target = { url: tenant.url, shot: () => tenant.shot('POST', '/v1/jobs', job), expect: 202 }
  await fireTimes(target, CONNECTIONS, jobs, agent)
  agent.destroy()
  return { tenant, listeners }
}
