/** A tenant's account: its limits and its usage. */
import { createRoute } from '@hono/zod-openapi'
import { Limits } from '../../openapi/limits.ts'
import { UsageQuery, UsageReport, UsageRow } from '../../openapi/usage.ts'
import { forTenants } from '../auth/authenticate.ts'
import { csvHeaders, csvOf, wantsCsv } from '../csv.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { daysOf, usageRange } from '../usage-range.ts'
import { limitsView } from '../views/limits.ts'
import { usageView } from '../views/usage.ts'
import { json, jsonOrCsv, tenantProblems } from './shared.ts'

const tags = ['Account']
const read = forTenants('usage:read')

const getLimits = createRoute({
  operationId: 'getLimits',
  method: 'get',
  path: '/v1/limits',
  tags,
  summary: 'Read your limits',
  description: 'The plan, what of each limit is used and left at this moment, and the budget of this month.',
  ...read,
  responses: { 200: json('The limits.', Limits), ...problems(...tenantProblems) },
})

const getUsage = createRoute({
  operationId: 'getUsage',
  method: 'get',
  path: '/v1/usage',
  tags,
  summary: 'Read your usage',
  description:
    'Jobs and items count on the day on which they end, tokens and costs on the day on which an attempt is booked. It is kept for good, longer than the jobs.',
  ...read,
  request: { query: UsageQuery },
  responses: { 200: jsonOrCsv('The usage.', UsageReport), ...problems(...tenantProblems) },
})

export const accountRoutes = newRouter()
  .openapi(getLimits, async (c) => {
    const now = await c.var.ledger((ledger) => ledger.readLimits())
    return c.json(limitsView(now), 200)
  })
  .openapi(getUsage, async (c) => {
    const { group_by = 'day', format, ...asked } = c.req.valid('query')
    const range = usageRange(asked, Date.now())
    const sums = await c.var.ledger((ledger) => ledger.readUsage(group_by, daysOf(range)))
    const report = usageView(group_by, range, sums)
    if (!wantsCsv(c, format)) return c.json(report, 200)
    return c.body(csvOf(columns, report.data), 200, csvHeaders(`usage-${range.from}-${range.to}`))
  })

const columns = UsageRow.keyof().options
