/** Suspending tenants as operators do. */
import { expectStatus, operator, type Tenant } from './tenant.ts'

const act = async ({ id }: Tenant, verb: 'suspend' | 'resume') =>
  (await expectStatus(200, (await operator()).post(`/ops/v1/tenants/${id}/${verb}`, { reason: 'a spec' })))
    .body

export const suspend = (tenant: Tenant) => act(tenant, 'suspend')
export const resume = (tenant: Tenant) => act(tenant, 'resume')

/** Asks while the tenant is suspended. */
export async function whileSuspended<T>(tenant: Tenant, ask: () => Promise<T>): Promise<T> {
  await suspend(tenant)
  const answer = await ask()
  await resume(tenant)
  return answer
}
