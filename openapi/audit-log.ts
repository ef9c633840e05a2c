/** The audit log: what operators did, and why. */
import { z } from '@hono/zod-openapi'
import { pageOf, pageQuery, Timestamp, timeFilter } from './common.ts'

export const AuditEntry = z
  .object({
    id: z.string().meta({ example: '412' }),
    object: z.literal('audit_entry'),
    created_at: Timestamp,
    operator: z.string().meta({ description: 'The client that did it.' }),
    action: z.string().meta({ example: 'tenant.change_limits' }),
    target: z.string().meta({ description: 'The ID of what it was done to.' }),
    reason: z.string().meta({ description: 'As the operator gave it.' }),
  })
  .meta({ id: 'AuditEntry', description: 'One change that an operator made.' })
export type AuditEntry = z.infer<typeof AuditEntry>

export const AuditEntryPage = pageOf('AuditEntryPage', AuditEntry)

const nameFilter = (description: string) => z.string().min(1).max(128).optional().meta({ description })

export const AuditLogQuery = z.object({
  ...pageQuery,
  operator: nameFilter('Only what this client did.'),
  action: nameFilter('Only acts of this name, such as `tenant.create`.'),
  target: nameFilter('Only what was done to the tenant, job, dead letter ... of this ID.'),
  created_after: timeFilter('Only what was done at this time or later.'),
  created_before: timeFilter('Only what was done before this time.'),
})
export type AuditLogQuery = z.infer<typeof AuditLogQuery>
