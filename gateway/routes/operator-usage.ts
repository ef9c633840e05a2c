/** What tenants used, for operators. */
import { createRoute } from '@hono/zod-openapi'
import { openDirectory } from '../../ledger/directory/open.ts'
import { usageOver } from '../../ledger/directory/usage-sums.ts'
import { OperatorUsageQuery, OperatorUsageReport, OperatorUsageRow } from '../../openapi/operator-usage.ts'
import { forOperators } from '../auth/authenticate.ts'
import { csvHeaders, csvOf, wantsCsv } from '../csv.ts'
import { outOfReach } from '../ledgers.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { daysOf, usageRange } from '../usage-range.ts'
import { operatorUsageView } from '../views/usage.ts'
import { jsonOrCsv, operatorProblems } from './shared.ts'

const getUsageOfTenants = createRoute({
  operationId: 'getUsage',
  method: 'get',
  path: '/ops/v1/usage',
  tags: ['Usage'],
  summary: 'Read what tenants used',
  description:
    "All of them together, or one. A tenant at work tells of it once a minute: what is younger may be missing here, and is in the tenant's own `/v1/usage`. An unknown tenant has used nothing.",
  ...forOperators('ops:read'),
  request: { query: OperatorUsageQuery },
  responses: {
    200: jsonOrCsv('The usage.', OperatorUsageReport),
    ...problems(...operatorProblems),
  },
})

export const operatorUsageRoutes = newRouter().openapi(getUsageOfTenants, async (c) => {
  const { group_by = 'day', tenant_id, format, ...asked } = c.req.valid('query')
  const range = usageRange(asked, Date.now())
  const directory = openDirectory(c.env.DIRECTORY)
  const sums = await usageOver(directory, group_by, daysOf(range), tenant_id).catch(outOfReach)
  const report = operatorUsageView(group_by, range, sums)
  if (!wantsCsv(c, format)) return c.json(report, 200)
  return c.body(csvOf(columns, report.data), 200, csvHeaders(`usage-${range.from}-${range.to}`))
})

const columns = OperatorUsageRow.keyof().options
