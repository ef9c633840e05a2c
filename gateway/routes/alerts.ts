/** Alerts: what is wrong with the service, and what was. */
import { createRoute } from '@hono/zod-openapi'
import { alertView } from '../../ledger/alerts/rows.ts'
import { AlertPage, AlertQuery } from '../../openapi/alerts.ts'
import { forOperators } from '../auth/authenticate.ts'
import { directoryPage } from '../directory-page.ts'
import { askOperators } from '../operators-ledger.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { alertTags as tags } from './alert-endpoint.ts'
import { json, operatorProblems } from './shared.ts'

const listAlerts = createRoute({
  operationId: 'listAlerts',
  method: 'get',
  path: '/ops/v1/alerts',
  tags,
  summary: 'List alerts, newest first',
  description:
    'Found by the check of each minute. One that is resolved has been absent for some minutes; those are kept for 90 days.',
  ...forOperators('ops:read'),
  request: { query: AlertQuery },
  responses: { 200: json('A page of alerts.', AlertPage), ...problems(...operatorProblems) },
})

export const alertRoutes = newRouter().openapi(listAlerts, async (c) => {
  const { status, ...query } = c.req.valid('query')
  const list = (after: string | null, size: number) =>
    askOperators(c, (ledger) => ledger.listAlerts(status ?? null, after, size))
  return c.json(await directoryPage(['ops', 'alerts', { status }], query, list, alertView), 200)
})
