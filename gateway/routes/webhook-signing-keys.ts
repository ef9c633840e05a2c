/** The public keys that verify a tenant's webhooks. */
import { createRoute } from '@hono/zod-openapi'
import { DEFAULT_LIMIT } from '../../openapi/common.ts'
import { SigningKeyPage } from '../../openapi/webhook-endpoints.ts'
import { PageQuery } from '../../openapi/webhooks.ts'
import { forTenants } from '../auth/authenticate.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
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
  const { cursor, limit } = c.req.valid('query')
  const scope = [c.var.principal.tenantId, 'webhook_signing_keys'] as const
  const after = await decodeCursor(scope, cursor)
  const page = await c.var.ledger((ledger) => ledger.listPublicKeys(after, Number(limit ?? DEFAULT_LIMIT)))
  const next_cursor = await encodeCursor(scope, page.nextAfter)
  return c.json({ data: page.keys.map(signingKeyView), has_more: next_cursor !== null, next_cursor }, 200)
})
