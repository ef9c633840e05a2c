/** A tenant as operators see it. */
import type { z } from '@hono/zod-openapi'
import type { TenantRow } from '../../ledger/directory/operations.ts'
import { planOf } from '../../ledger/plan.ts'
import { timestamp } from '../../ledger/wire.ts'
import type { Tenant } from '../../openapi/ops.ts'

export const tenantView = ({
  id,
  status,
  held,
  restoreEpoch,
  plan,
  createdAt,
}: TenantRow): z.infer<typeof Tenant> => ({
  id,
  object: 'tenant',
  status,
  held,
  restore_epoch: restoreEpoch,
  limits: planOf(plan),
  created_at: timestamp(createdAt),
})
