/** Who changed what, and why. */
import { createRoute } from '@hono/zod-openapi'
import { type AuditLine, listAuditLog } from '../../ledger/directory/audit-log.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { timestamp } from '../../ledger/wire.ts'
import { type AuditEntry, AuditEntryPage, AuditLogQuery } from '../../openapi/audit-log.ts'
import { forOperators } from '../auth/authenticate.ts'
import { directoryPage } from '../directory-page.ts'
import { outOfReach } from '../ledgers.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { checkPeriod } from '../usage-range.ts'
import { json, operatorProblems } from './shared.ts'

const listAuditLogRoute = createRoute({
  operationId: 'listAuditLog',
  method: 'get',
  path: '/ops/v1/audit_log',
  tags: ['Audit log'],
  summary: 'List what operators did, newest first',
  description:
    'Every change, with who made it and why; or those that the filters leave. It is kept for good.',
  ...forOperators('ops:read'),
  request: { query: AuditLogQuery },
  responses: {
    200: json('A page of the audit log.', AuditEntryPage),
    ...problems(...operatorProblems),
  },
})

export const auditLogRoutes = newRouter().openapi(listAuditLogRoute, async (c) => {
  const { cursor, limit, ...query } = c.req.valid('query')
  checkPeriod(query)
  const list = (after: string | null, size: number) =>
    listAuditLog(openDirectory(c.env.DIRECTORY), query, after, size).catch(outOfReach)
  return c.json(await directoryPage(['ops', 'audit_log', query], { cursor, limit }, list, view), 200)
})

const view = ({ id, at, operator, action, target, reason }: AuditLine): AuditEntry => ({
  id,
  object: 'audit_entry',
  created_at: timestamp(at),
  operator,
  action,
  target,
  reason,
})
