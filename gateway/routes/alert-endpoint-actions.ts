/** What operators do to one of their endpoints for alerts: rotate its secret, test it, enable it, delete it. */
import { createRoute, type z } from '@hono/zod-openapi'
import { randomBytes } from '../../ledger/ids.ts'
import { mintKey } from '../../ledger/webhooks/keys.ts'
import { AlertEndpoint, AlertEndpointRotation, AlertEndpointWithSecret } from '../../openapi/alerts.ts'
import { ReasonedAction } from '../../openapi/ops.ts'
import { DEFAULT_OVERLAP_SECONDS, TestResult } from '../../openapi/webhook-endpoints.ts'
import { askOperators } from '../operators-ledger.ts'
import { sendPing } from '../ping.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { endpointView } from '../views/endpoint.ts'
import { AlertEndpointParams, actOn, callOf, alertTags as tags, withSecret } from './alert-endpoint.ts'
import { json, jsonBody, keyedForOperators, operatorPostProblems } from './shared.ts'

const action = <N extends string, V extends string, B extends z.ZodType, A extends z.ZodType>(
  operationId: N,
  verb: V,
  [summary, description]: readonly [string, string],
  body: B,
  answer: A,
) =>
  createRoute({
    operationId,
    method: 'post',
    path: `/ops/v1/alert_endpoints/{endpoint_id}/${verb}`,
    tags,
    summary,
    description,
    ...keyedForOperators('ops:write'),
    request: { params: AlertEndpointParams, body: jsonBody(body) },
    responses: {
      200: json('What it came to.', answer),
      ...problems(...operatorPostProblems, 'not-found', 'idempotency-in-progress'),
    },
  })

const rotateAlertEndpointSecret = action(
  'rotateAlertEndpointSecret',
  'rotate_secret',
  [
    'Give an endpoint for alerts a new secret',
    'Older ones sign beside it for `overlap_seconds` at most. The answer holds the new secret, which is never shown again.',
  ],
  AlertEndpointRotation,
  AlertEndpointWithSecret,
)
const testAlertEndpoint = action(
  'testAlertEndpoint',
  'test',
  [
    'Send a test webhook to an endpoint for alerts',
    'An event of type `ping`, signed like every other. That the receiver fails is an answer too.',
  ],
  ReasonedAction,
  TestResult,
)
const enableAlertEndpoint = action(
  'enableAlertEndpoint',
  'enable',
  ['Enable an endpoint for alerts', 'Alerts are sent to it again, those that were held first.'],
  ReasonedAction,
  AlertEndpoint,
)
const deleteAlertEndpoint = action(
  'deleteAlertEndpoint',
  'delete',
  [
    'Delete an endpoint for alerts',
    'What is still to be delivered ends at once. Answers with the endpoint as it was.',
  ],
  ReasonedAction,
  AlertEndpoint,
)

export const alertEndpointActionRoutes = newRouter()
  .openapi(rotateAlertEndpointSecret, async (c) => {
    const { endpoint_id: id } = c.req.valid('param')
    const { overlap_seconds = DEFAULT_OVERLAP_SECONDS, reason } = c.req.valid('json')
    const answer = await actOn(c, 'rotate_secret', id, reason, async () => {
      const { key, secret } = await mintKey(c.var.config.keyEncryptionKeys, id, Date.now(), randomBytes)
      const { value } = await askOperators(c, (ledger) =>
        ledger.rotateSecret(callOf(key.id), id, key, overlap_seconds * 1000),
      )
      return withSecret(value, secret)
    })
    return c.json(answer, 200)
  })
  .openapi(testAlertEndpoint, async (c) => {
    const { endpoint_id: id } = c.req.valid('param')
    const answer = await actOn(c, 'test', id, c.req.valid('json').reason, async () =>
      sendPing(c, await askOperators(c, (ledger) => ledger.readRecipient(id))),
    )
    return c.json(answer, 200)
  })
  .openapi(enableAlertEndpoint, async (c) => {
    const { endpoint_id: id } = c.req.valid('param')
    const answer = await actOn(c, 'enable', id, c.req.valid('json').reason, async () => {
      const { value } = await askOperators(c, (ledger) =>
        ledger.enableEndpoint(callOf(crypto.randomUUID()), id, true),
      )
      return endpointView(value)
    })
    return c.json(answer, 200)
  })
  .openapi(deleteAlertEndpoint, async (c) => {
    const { endpoint_id: id } = c.req.valid('param')
    const answer = await actOn(c, 'delete', id, c.req.valid('json').reason, async (endpoint) => {
      await askOperators(c, (ledger) => ledger.deleteEndpoint(id))
      return endpointView(endpoint)
    })
    return c.json(answer, 200)
  })
