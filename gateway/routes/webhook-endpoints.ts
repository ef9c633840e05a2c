/** Webhook endpoints: create, list, read, change, delete. */
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { mintId, randomBytes } from '../../ledger/ids.ts'
import {
  WebhookEndpoint,
  WebhookEndpointPage,
  WebhookEndpointPatch,
  WebhookEndpointRequest,
  WebhookEndpointWithSecret,
} from '../../openapi/webhook-endpoints.ts'
import { PageQuery } from '../../openapi/webhooks.ts'
import { forTenants } from '../auth/authenticate.ts'
import { requestKey } from '../idempotency.ts'
import { pageOf } from '../page.ts'
import { problems } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { endpointView } from '../views/endpoint.ts'
import {
  bodyProblems,
  json,
  jsonBody,
  keyedForTenants,
  located,
  tenantPostProblems,
  tenantProblems,
} from './shared.ts'
import { answeredWithSecret, EndpointParams, endpointTags as tags } from './webhook-endpoint.ts'
import { changeOf, checkSecrets, newEndpoint } from './webhook-endpoint-request.ts'

const write = forTenants('webhooks:write')
const read = forTenants('webhooks:read')

const createWebhookEndpoint = createRoute({
  operationId: 'createWebhookEndpoint',
  method: 'post',
  path: '/v1/webhook_endpoints',
  tags,
  summary: 'Create a webhook endpoint',
  description:
    'The answer holds the signing secret, which is never shown again. Store it before anything else.',
  ...keyedForTenants('webhooks:write'),
  request: { body: jsonBody(WebhookEndpointRequest) },
  responses: {
    201: located('The endpoint, with its secret. `Location` is its URL.', WebhookEndpointWithSecret),
    ...problems(...tenantPostProblems),
  },
})

const listWebhookEndpoints = createRoute({
  operationId: 'listWebhookEndpoints',
  method: 'get',
  path: '/v1/webhook_endpoints',
  tags,
  summary: 'List webhook endpoints, newest first',
  description: 'All of the tenant. Secrets and the values of headers are not shown.',
  ...read,
  request: { query: PageQuery },
  responses: {
    200: json('A page of endpoints.', WebhookEndpointPage),
    ...problems(...tenantProblems),
  },
})

const getWebhookEndpoint = createRoute({
  operationId: 'getWebhookEndpoint',
  method: 'get',
  path: '/v1/webhook_endpoints/{endpoint_id}',
  tags,
  summary: 'Read a webhook endpoint',
  description: 'Its secret and the values of its headers are not shown.',
  ...read,
  request: { params: EndpointParams },
  responses: { 200: json('The endpoint.', WebhookEndpoint), ...problems(...tenantProblems, 'not-found') },
})

const updateWebhookEndpoint = createRoute({
  operationId: 'updateWebhookEndpoint',
  method: 'patch',
  path: '/v1/webhook_endpoints/{endpoint_id}',
  tags,
  summary: 'Change a webhook endpoint',
  description: 'What is not named stays as it is. Events that are waiting go to the endpoint as it is now.',
  ...write,
  request: { params: EndpointParams, body: jsonBody(WebhookEndpointPatch) },
  responses: {
    200: json('The endpoint.', WebhookEndpoint),
    ...problems(...tenantProblems, ...bodyProblems, 'not-found'),
  },
})

const deleteWebhookEndpoint = createRoute({
  operationId: 'deleteWebhookEndpoint',
  method: 'delete',
  path: '/v1/webhook_endpoints/{endpoint_id}',
  tags,
  summary: 'Delete a webhook endpoint',
  description: 'Deliveries that are still to be made end at once.',
  ...write,
  request: { params: EndpointParams },
  responses: { 204: { description: 'Deleted.' }, ...problems(...tenantProblems, 'not-found') },
})

export const webhookEndpointRoutes = newRouter()
  .openapi(createWebhookEndpoint, async (c) => {
    const endpoint = await create(c, c.req.valid('json'))
    return c.json(endpoint, 201, { Location: `${c.var.config.baseUrl}/v1/webhook_endpoints/${endpoint.id}` })
  })
  .openapi(listWebhookEndpoints, async (c) => {
    const scope = [c.var.principal.tenantId, 'webhook_endpoints'] as const
    const page = await pageOf(scope, c.req.valid('query'), async (after, size) => {
      const { endpoints, nextAfter } = await c.var.ledger((own) => own.listEndpoints(after, size))
      return { data: endpoints.map(endpointView), nextAfter }
    })
    return c.json(page, 200)
  })
  .openapi(getWebhookEndpoint, async (c) => {
    const endpoint = await c.var.ledger((ledger) => ledger.readEndpoint(c.req.valid('param').endpoint_id))
    return c.json(endpointView(endpoint), 200)
  })
  .openapi(updateWebhookEndpoint, async (c) => {
    const { endpoint_id } = c.req.valid('param')
    return c.json(endpointView(await change(c, endpoint_id, c.req.valid('json'))), 200)
  })
  .openapi(deleteWebhookEndpoint, async (c) => {
    await c.var.ledger((ledger) => ledger.deleteEndpoint(c.req.valid('param').endpoint_id))
    return c.body(null, 204)
  })

/** A repetition is answered whatever became of the URL since, and who asks too often looks nothing up: the ledger is asked before the host. */
async function create(c: Context<GatewayContext>, body: WebhookEndpointRequest) {
  checkSecrets(body)
  const call = { id: mintId('we', 0, Date.now(), randomBytes), key: await requestKey(c) }
  const before = await c.var.ledger((ledger) => ledger.foretellEndpoint(call))
  if (before) return answeredWithSecret(c, before, null)

  const { secret, ...request } = await newEndpoint(c, call.id, body)
  const created = await c.var.ledger((ledger) => ledger.createEndpoint(call, request))
  return answeredWithSecret(c, created, secret)
}

/** No host is looked up for an endpoint that is not there, nor for who asks too often. */
async function change(c: Context<GatewayContext>, id: string, body: WebhookEndpointPatch) {
  checkSecrets(body)
  if (body.url !== undefined) await c.var.ledger((ledger) => ledger.readEndpoint(id))
  const changed = await changeOf(c, id, body)
  return c.var.ledger((ledger) => ledger.updateEndpoint(id, changed))
}
