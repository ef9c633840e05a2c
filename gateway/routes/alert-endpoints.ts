/** Operators' endpoints for alerts: create, list, read, and what became of their deliveries. */
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { mintId, randomBytes } from '../../ledger/ids.ts'
import {
  AlertDeliveryPage,
  AlertEndpoint,
  AlertEndpointPage,
  AlertEndpointRequest,
  AlertEndpointWithSecret,
} from '../../openapi/alerts.ts'
import { PageQuery } from '../../openapi/webhooks.ts'
import { forOperators } from '../auth/authenticate.ts'
import { actOnce, askOperators } from '../operators-ledger.ts'
import { pageOf } from '../page.ts'
import { problems } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { alertDeliveryView } from '../views/delivery.ts'
import { endpointView } from '../views/endpoint.ts'
import {
  AlertEndpointParams,
  callOf,
  readAlertEndpoint,
  alertTags as tags,
  withSecret,
} from './alert-endpoint.ts'
import { positionOf, textOf } from './delivery-positions.ts'
import {
  json,
  jsonBody,
  keyedForOperators,
  located,
  operatorPostProblems,
  operatorProblems,
} from './shared.ts'
import { checkSecrets, newEndpoint } from './webhook-endpoint-request.ts'

const read = forOperators('ops:read')

const createAlertEndpoint = createRoute({
  operationId: 'createAlertEndpoint',
  method: 'post',
  path: '/ops/v1/alert_endpoints',
  tags,
  summary: 'Create an endpoint for alerts',
  description:
    'Alerts are sent to it as signed webhooks: when a condition is found, again once a day while it lasts, and when it has gone. The answer holds the signing secret, which is never shown again.',
  ...keyedForOperators('ops:write'),
  request: { body: jsonBody(AlertEndpointRequest) },
  responses: {
    201: located('The endpoint, with its secret. `Location` is its URL.', AlertEndpointWithSecret),
    ...problems(...operatorPostProblems, 'idempotency-in-progress'),
  },
})

const listAlertEndpoints = createRoute({
  operationId: 'listAlertEndpoints',
  method: 'get',
  path: '/ops/v1/alert_endpoints',
  tags,
  summary: 'List the endpoints for alerts, newest first',
  description: 'Secrets and the values of headers are not shown.',
  ...read,
  request: { query: PageQuery },
  responses: { 200: json('A page of endpoints.', AlertEndpointPage), ...problems(...operatorProblems) },
})

const getAlertEndpoint = createRoute({
  operationId: 'getAlertEndpoint',
  method: 'get',
  path: '/ops/v1/alert_endpoints/{endpoint_id}',
  tags,
  summary: 'Read an endpoint for alerts',
  description: 'Its secret and the values of its headers are not shown.',
  ...read,
  request: { params: AlertEndpointParams },
  responses: { 200: json('The endpoint.', AlertEndpoint), ...problems(...operatorProblems, 'not-found') },
})

const listAlertDeliveries = createRoute({
  operationId: 'listAlertDeliveries',
  method: 'get',
  path: '/ops/v1/alert_endpoints/{endpoint_id}/deliveries',
  tags,
  summary: 'List what became of the alerts at an endpoint, newest first',
  description: 'In the order of the events, with every attempt.',
  ...read,
  request: { params: AlertEndpointParams, query: PageQuery },
  responses: {
    200: json('A page of deliveries.', AlertDeliveryPage),
    ...problems(...operatorProblems, 'not-found'),
  },
})

export const alertEndpointRoutes = newRouter()
  .openapi(createAlertEndpoint, async (c) => {
    const endpoint = await create(c, c.req.valid('json'))
    return c.json(endpoint, 201, {
      Location: `${c.var.config.baseUrl}/ops/v1/alert_endpoints/${endpoint.id}`,
    })
  })
  .openapi(listAlertEndpoints, async (c) => {
    const scope = ['ops', 'alert_endpoints'] as const
    const page = await pageOf(scope, c.req.valid('query'), async (after, size) => {
      const { endpoints, nextAfter } = await askOperators(c, (own) => own.listEndpoints(after, size))
      return { data: endpoints.map(endpointView), nextAfter }
    })
    return c.json(page, 200)
  })
  .openapi(getAlertEndpoint, async (c) =>
    c.json(endpointView(await readAlertEndpoint(c, c.req.valid('param').endpoint_id)), 200),
  )
  .openapi(listAlertDeliveries, async (c) => {
    const { id } = await readAlertEndpoint(c, c.req.valid('param').endpoint_id)
    const filter = { endpointId: id, status: null, eventType: null, eventId: null }
    const scope = ['ops', 'alert_deliveries', id] as const
    const page = await pageOf(scope, c.req.valid('query'), async (after, size) => {
      const { deliveries, nextAfter } = await askOperators(c, (own) =>
        own.listDeliveries(filter, positionOf(after), size),
      )
      return { data: deliveries.map(alertDeliveryView), nextAfter: textOf(nextAfter) }
    })
    return c.json(page, 200)
  })

function create(c: Context<GatewayContext>, { reason, ...body }: AlertEndpointRequest) {
  checkSecrets(body)
  const id = mintId('we', 0, Date.now(), randomBytes)
  return actOnce(
    c,
    { action: 'alert_endpoint.create', target: id, reason },
    () => newEndpoint(c, id, body),
    async ({ secret, ...request }) => {
      const asked = { ...request, eventTypes: ['alert.*'] }
      const { value } = await askOperators(c, (ledger) => ledger.createEndpoint(callOf(id), asked))
      return withSecret(value, secret)
    },
  )
}
