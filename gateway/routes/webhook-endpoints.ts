/** Webhook endpoints: create, list, read, delete. */
import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { mintId, randomBytes } from '../../ledger/ids.ts'
import { mintKey } from '../../ledger/webhooks/keys.ts'
import { DEFAULT_LIMIT } from '../../openapi/common.ts'
import {
  CreatedWebhookEndpoint,
  PageQuery,
  WebhookEndpoint,
  WebhookEndpointPage,
  WebhookEndpointRequest,
} from '../../openapi/webhooks.ts'
import { forTenants } from '../auth/authenticate.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import { idempotent, keyParameter, requestKey } from '../idempotency.ts'
import { problems } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { endpointView } from '../views/endpoint.ts'
import { checkedUrl } from '../webhook-url.ts'
import { bodyProblems, json, jsonBody, keyProblems, tenantProblems } from './shared.ts'

const tags = ['Webhook endpoints']
const EndpointParams = z.object({
  endpoint_id: z.string().openapi({ example: 'we_01jd0000000000000000000000000' }),
})
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
  ...write,
  middleware: [...write.middleware, idempotent(false)] as const,
  ...keyParameter(false),
  request: {
    body: jsonBody(WebhookEndpointRequest),
  },
  responses: {
    201: json('The endpoint, with its secret. `Location` is its URL.', CreatedWebhookEndpoint),
    ...problems(...tenantProblems, ...bodyProblems, ...keyProblems),
  },
})

const listWebhookEndpoints = createRoute({
  operationId: 'listWebhookEndpoints',
  method: 'get',
  path: '/v1/webhook_endpoints',
  tags,
  summary: 'List webhook endpoints, newest first',
  ...read,
  request: { query: PageQuery },
  responses: {
    200: json('A page of endpoints.', WebhookEndpointPage),
    ...problems(...tenantProblems, 'invalid-request'),
  },
})

const getWebhookEndpoint = createRoute({
  operationId: 'getWebhookEndpoint',
  method: 'get',
  path: '/v1/webhook_endpoints/{endpoint_id}',
  tags,
  summary: 'Read a webhook endpoint',
  ...read,
  request: { params: EndpointParams },
  responses: { 200: json('The endpoint.', WebhookEndpoint), ...problems(...tenantProblems, 'not-found') },
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
    const { endpoint, secret, replayed } = await create(c, c.req.valid('json'))
    if (replayed) c.header('Idempotency-Replayed', 'true')
    const location = `${c.var.config.baseUrl}/v1/webhook_endpoints/${endpoint.id}`
    return c.json({ ...endpointView(endpoint), secret }, 201, { Location: location })
  })
  .openapi(listWebhookEndpoints, async (c) => {
    const { cursor, limit } = c.req.valid('query')
    const scope = [c.var.principal.tenantId, 'webhook_endpoints'] as const
    const after = await decodeCursor(scope, cursor)
    const page = await c.var.ledger((ledger) => ledger.listEndpoints(after, Number(limit ?? DEFAULT_LIMIT)))
    const next_cursor = await encodeCursor(scope, page.nextAfter)
    return c.json(
      { data: page.endpoints.map(endpointView), has_more: next_cursor !== null, next_cursor },
      200,
    )
  })
  .openapi(getWebhookEndpoint, async (c) => {
    const endpoint = await c.var.ledger((ledger) => ledger.readEndpoint(c.req.valid('param').endpoint_id))
    return c.json(endpointView(endpoint), 200)
  })
  .openapi(deleteWebhookEndpoint, async (c) => {
    await c.var.ledger((ledger) => ledger.deleteEndpoint(c.req.valid('param').endpoint_id))
    return c.body(null, 204)
  })

async function create(c: Context<GatewayContext>, body: z.infer<typeof WebhookEndpointRequest>) {
  const { keyEncryptionKeys } = c.var.config
  const url = await checkedUrl(c, body.url)
  const id = mintId('we', 0, Date.now(), randomBytes)
  const { key: signingKey, secret } = await mintKey(keyEncryptionKeys, id, Date.now(), randomBytes)
  const request = {
    id,
    url,
    eventTypes: body.event_types ?? ['*'],
    description: body.description ?? null,
    metadata: body.metadata ?? {},
    signing: 'hmac' as const,
    ordered: false,
    maxPerSecond: null,
    headerNames: [],
    sealedHeaders: null,
    signingKey,
    key: await requestKey(c),
  }
  const { endpoint, replayed } = await c.var.ledger((ledger) => ledger.createEndpoint(request))
  return { endpoint, replayed, secret: replayed ? null : secret }
}
