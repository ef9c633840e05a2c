/** What monitoring scrapes. */
import { createRoute } from '@hono/zod-openapi'
import { Metrics } from '../../openapi/metrics.ts'
import { forOperators } from '../auth/authenticate.ts'
import { outOfReach } from '../ledgers.ts'
import { collect } from '../metrics/collect.ts'
import { EXPOSITION_TYPE, exposition } from '../metrics/exposition.ts'
import { families } from '../metrics/families.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { operatorProblems } from './shared.ts'

const getMetrics = createRoute({
  operationId: 'getMetrics',
  method: 'get',
  path: '/ops/v1/metrics',
  tags: ['Metrics'],
  summary: 'Read the figures for monitoring',
  description:
    'For a scraper that speaks OpenMetrics, once a minute: a tenant at work tells of itself as often, and `gateway_oldest_snapshot_seconds` how long the most silent one has not. Of tenants by name there are the 20 with most open work. A queue that does not answer in time is missing, and counted in `gateway_scrape_errors`.',
  ...forOperators('ops:read'),
  responses: {
    200: { description: 'The figures.', content: { [EXPOSITION_TYPE]: { schema: Metrics } } },
    ...problems(...operatorProblems),
  },
})

export const metricsRoutes = newRouter().openapi(getMetrics, async (c) => {
  const text = exposition(
    families(await collect(c.env, c.var.config.providers).catch(outOfReach), Date.now()),
  )
  return c.body(text, 200, { 'Content-Type': `${EXPOSITION_TYPE}; version=1.0.0; charset=utf-8` })
})
