/** Replaying to a webhook endpoint what it missed, or should get again. */
import { createRoute } from '@hono/zod-openapi'
import { moment } from '../../ledger/wire.ts'
import { Replay, ReplayRequest } from '../../openapi/deliveries.ts'
import { requestKey } from '../idempotency.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { json, jsonBody, keyedForTenants, tenantPostProblems } from './shared.ts'
import { EndpointParams, endpointTags as tags } from './webhook-endpoint.ts'

const write = keyedForTenants('webhooks:write')

const replayWebhookEndpoint = createRoute({
  operationId: 'replayWebhookEndpoint',
  method: 'post',
  path: '/v1/webhook_endpoints/{endpoint_id}/replay',
  tags,
  summary: 'Deliver the events of a range of time again',
  description: [
    'Every event of the range that the endpoint is subscribed to becomes due for it now: those that it was told, those that failed,',
    'wait to be tried again or are held, and those from before it existed. What is due or being delivered already is left alone and not',
    'counted. Events keep their IDs and bytes; timestamps and signatures are fresh. Works for a disabled endpoint too. At most 10,000',
    'deliveries at once.',
  ].join('\n'),
  ...write,
  request: { params: EndpointParams, body: jsonBody(ReplayRequest) },
  responses: {
    202: json('How many deliveries became due.', Replay),
    ...problems(...tenantPostProblems, 'not-found'),
  },
})

export const webhookReplayRoutes = newRouter().openapi(replayWebhookEndpoint, async (c) => {
  const { since, until, event_types = null, only_failed = false } = c.req.valid('json')
  const order = {
    endpointId: c.req.valid('param').endpoint_id,
    since: Date.parse(since),
    until: moment(until),
    eventTypes: event_types,
    onlyFailed: only_failed,
  }
  const call = { id: crypto.randomUUID(), key: await requestKey(c) }
  const { value, replayed } = await c.var.ledger((ledger) => ledger.replayEvents(call, order))
  if (replayed) c.header('Idempotency-Replayed', 'true')
  return c.json(value, 202)
})
