/** Reading the audit log. It is written by whoever does something, in the same transaction (`traces`). */
import { and, desc, eq, gte, lt } from 'drizzle-orm'
import type { AuditLogQuery } from '../../openapi/audit-log.ts'
import { moment } from '../wire.ts'
import type { Directory } from './open.ts'
import { auditLog } from './schema.ts'

export interface AuditLine extends Omit<typeof auditLog.$inferSelect, 'id'> {
  readonly id: string
}

/** Newest first, those before the line `after`; `limit + 1` rows tell the caller whether there are more. */
export async function listAuditLog(
  directory: Directory,
  { operator, action, target, created_after, created_before }: AuditLogQuery,
  after: string | null,
  limit: number,
): Promise<AuditLine[]> {
  const [from, before] = [moment(created_after), moment(created_before)]
  const rows = await directory
    .select()
    .from(auditLog)
    .where(
      and(
        after === null ? undefined : lt(auditLog.id, Number(after)),
        operator === undefined ? undefined : eq(auditLog.operator, operator),
        action === undefined ? undefined : eq(auditLog.action, action),
        target === undefined ? undefined : eq(auditLog.target, target),
        from === null ? undefined : gte(auditLog.at, from),
        before === null ? undefined : lt(auditLog.at, before),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit + 1)
  return rows.map((row) => ({ ...row, id: String(row.id) }))
}
