/** The public keys that verify a tenant's webhooks. */
import { createRoute } from '@hono/zod-openapi'
import { SigningKeyPage } from '../../openapi/webhook-endpoints.ts'
import { PageQuery } from '../../openapi/webhooks.ts'
import { forTenants } from '../auth/authenticate.ts'
import { pageOf } from '../page.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { signingKeyView } from '../views/endpoint.ts'
import { json, tenantProblems } from './shared.ts'
import { endpointTags as tags } from './webhook-endpoint.ts'

const listWebhookSigningKeys = createRoute({
  operationId: 'listWebhookSigningKeys',
  method: 'get',
  path: '/v1/webhook_signing_keys',
  tags,
  summary: 'List the public keys that verify webhooks, newest first',
  description:
    'Of all endpoints whose `signing` includes `ed25519`: those that sign now, with their validity. Read it again when a signature verifies by none of those that you know.',
  ...forTenants('webhooks:read'),
  request: { query: PageQuery },
  responses: {
    200: json('A page of keys.', SigningKeyPage),
    ...problems(...tenantProblems),
  },
})

export const webhookSigningKeyRoutes = newRouter().openapi(listWebhookSigningKeys, async (c) => {
  const scope = [c.var.principal.tenantId, 'webhook_signing_keys'] as const
  const page = await pageOf(scope, c.req.valid('query'), async (after, size) => {
    const { keys, nextAfter } = await c.var.ledger((own) => own.listPublicKeys(after, size))
    return { data: keys.map(signingKeyView), nextAfter }
  })
  return c.json(page, 200)
})
