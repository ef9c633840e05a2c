/** The words for tenants and what their clients may do, apart from the schemas, which not all that know the words need. */
import { z } from '@hono/zod-openapi'

export const tenantScopes = [
  'jobs:read',
  'jobs:write',
  'webhooks:read',
  'webhooks:write',
  'usage:read',
] as const
export const opsScopes = ['ops:read', 'ops:write'] as const
export type Scope = (typeof tenantScopes)[number] | (typeof opsScopes)[number]

export const TenantId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/)

export const tenantStatuses = ['active', 'suspended', 'deleting'] as const
export type TenantStatus = (typeof tenantStatuses)[number]
