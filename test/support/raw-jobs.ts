/** Bodies as they are, to the route of jobs. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { inLedger } from './control.ts'
import type { Tenant } from './tenant.ts'

export const postRaw = (tenant: Tenant, raw: string, contentType = 'application/json') =>
  tenant.client.request('POST', '/v1/jobs', {
    raw,
    headers: { 'Idempotency-Key': randomUUID(), ...(contentType && { 'Content-Type': contentType }) },
  })

/** Neither a job of the tenant nor a key. */
export const expectNothingStored = async (tenant: Tenant) =>
  expect(
    await inLedger(tenant.id, 'select id from jobs union all select key_hash from idempotency_keys'),
  ).toEqual([])
