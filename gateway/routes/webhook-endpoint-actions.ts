/** What can be done to a webhook endpoint besides changing it: rotate its secret, test it, enable it. */
import { createRoute } from '@hono/zod-openapi'
import { randomBytes } from '../../ledger/ids.ts'
import { mintKey } from '../../ledger/webhooks/keys.ts'
import {
  DEFAULT_OVERLAP_SECONDS,
  Enabling,
  SecretRotation,
  TestResult,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '../../openapi/webhook-endpoints.ts'
import { requestKey } from '../idempotency.ts'
import { onceForTenant } from '../once-for-tenant.ts'
import { sendPing } from '../ping.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { bareForTenants, json, keyedForTenants, optionalJsonBody, tenantPostProblems } from './shared.ts'
import {
  answeredEndpoint,
  answeredWithSecret,
  EndpointParams,
  endpointTags as tags,
} from './webhook-endpoint.ts'
import { checkSecrets } from './webhook-endpoint-request.ts'

const write = keyedForTenants('webhooks:write')

const rotateWebhookEndpointSecret = createRoute({
  operationId: 'rotateWebhookEndpointSecret',
  method: 'post',
  path: '/v1/webhook_endpoints/{endpoint_id}/rotate_secret',
  tags,
  summary: 'Give a webhook endpoint a new secret',
  description:
    'The new secret, and a new key pair, sign from now on; the older ones beside them for `overlap_seconds` at most. Until then each webhook carries a signature for each, so the receiver can change over at any moment between. The answer holds the new secret, which is never shown again.',
  ...write,
  request: { params: EndpointParams, body: optionalJsonBody(SecretRotation) },
  responses: {
    200: json('The endpoint, with its new secret.', WebhookEndpointWithSecret),
    ...problems(...tenantPostProblems, 'not-found'),
  },
})

const testWebhookEndpoint = createRoute({
  operationId: 'testWebhookEndpoint',
  method: 'post',
  path: '/v1/webhook_endpoints/{endpoint_id}/test',
  tags,
  summary: 'Send a test webhook now',
  description:
    'Sends an event of type `ping`, signed like every other, and answers what the receiver answered; within 15 seconds. That the receiver fails is an answer too: `error` tells how. The event is not kept, and does not count for the health of the endpoint. A disabled endpoint can be tested.',
  ...bareForTenants('webhooks:write'),
  request: { params: EndpointParams },
  responses: {
    200: json('What became of it.', TestResult),
    ...problems(...tenantPostProblems, 'not-found', 'idempotency-in-progress'),
  },
})

const enableWebhookEndpoint = createRoute({
  operationId: 'enableWebhookEndpoint',
  method: 'post',
  path: '/v1/webhook_endpoints/{endpoint_id}/enable',
  tags,
  summary: 'Enable a webhook endpoint',
  description:
    'Webhooks are sent to it again, those that were held first, unless `send_held` is false. Enabling one that is enabled does no harm.',
  ...write,
  request: { params: EndpointParams, body: optionalJsonBody(Enabling) },
  responses: {
    200: json('The endpoint.', WebhookEndpoint),
    ...problems(...tenantPostProblems, 'not-found'),
  },
})

export const webhookEndpointActionRoutes = newRouter()
  .openapi(rotateWebhookEndpointSecret, async (c) => {
    const { endpoint_id: id } = c.req.valid('param')
    const { overlap_seconds = DEFAULT_OVERLAP_SECONDS, secret: own } = c.req.valid('json')
    checkSecrets({ secret: own })
    const minted = await mintKey(c.var.config.keyEncryptionKeys, id, Date.now(), randomBytes, own)
    const call = { id: minted.key.id, key: await requestKey(c) }
    const answered = await c.var.ledger((ledger) =>
      ledger.rotateSecret(call, id, minted.key, overlap_seconds * 1000),
    )
    return c.json(answeredWithSecret(c, answered, minted.secret), 200)
  })
  .openapi(testWebhookEndpoint, async (c) => {
    const { endpoint_id: id } = c.req.valid('param')
    const result = await onceForTenant(
      c,
      (ledger, call) => ledger.beginTest(call, id),
      (recipient) => sendPing(c, recipient),
    )
    return c.json(result, 200)
  })
  .openapi(enableWebhookEndpoint, async (c) => {
    const { endpoint_id: id } = c.req.valid('param')
    const { send_held = true } = c.req.valid('json')
    const call = { id: crypto.randomUUID(), key: await requestKey(c) }
    const answered = await c.var.ledger((ledger) => ledger.enableEndpoint(call, id, send_held))
    return c.json(answeredEndpoint(c, answered), 200)
  })
