/** The head of the generated documents: what they are about, how to authenticate, and the webhooks that they announce. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Env } from 'hono'
import type { KindName } from '../catalog/kind.ts'
import { batchItems, itemName } from './batch-items.ts'
import { opsScopes, type Scope, tenantScopes } from './ops.ts'
import { WebhookHeaders, webhookEvents } from './webhooks.ts'

const scopeTexts: Record<Scope, string> = {
  'jobs:read': 'Read jobs and results.',
  'jobs:write': 'Submit, cancel and delete jobs.',
  'webhooks:read': 'Read webhook endpoints and their public keys, deliveries and events.',
  'webhooks:write': 'Create, change, test and delete webhook endpoints; retry and replay deliveries.',
  'usage:read': 'Read limits and usage.',
  'ops:read': 'Read what operators see.',
  'ops:write': 'Change tenants and clients.',
}

const scopesOf = (scopes: readonly Scope[]) =>
  Object.fromEntries(scopes.map((scope) => [scope, scopeTexts[scope]]))

export const VERSION = '0.1.0'

const heads = {
  tenants: {
    title: 'Asynchronous AI gateway',
    description: [
      'Hand over AI work that nobody waits for: submit a job, get `202 Accepted` with a status URL at once, and be told by',
      'signed webhooks when it was accepted, when its result is available, or that it failed. A webhook can overtake the 202.',
      '',
      'Not promised: immediate answers, exact completion times, atomicity across jobs.',
    ].join('\n'),
    scopes: tenantScopes,
  },
  operators: {
    title: 'Asynchronous AI gateway: operations',
    description: 'For the people who run the service. Never shows the content of a job.',
    scopes: opsScopes,
  },
} as const

/** Adds security and webhooks to an app's registry and makes its OpenAPI 3.1 document. */
export function makeDocument<E extends Env>(
  app: OpenAPIHono<E>,
  audience: keyof typeof heads,
  baseUrl: string,
) {
  const { title, description, scopes } = heads[audience]
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title,
      version: VERSION,
      description,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: baseUrl }],
    security: [{ oauth2: [...scopes] }],
  })
}

export function describeSecurity<E extends Env>(app: OpenAPIHono<E>, audience: keyof typeof heads): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'oauth2', {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: scopesOf(heads[audience].scopes) } },
  })
}

/** What requests refer to by name, without being checked by it. */
export function describeBatchItems<E extends Env>(app: OpenAPIHono<E>): void {
  for (const [kind, schema] of Object.entries(batchItems))
    app.openAPIRegistry.register(itemName(kind as KindName), schema)
}

export function describeWebhooks<E extends Env>(app: OpenAPIHono<E>): void {
  for (const [type, schema] of Object.entries(webhookEvents))
    app.openAPIRegistry.registerWebhook({
      method: 'post',
      path: type,
      operationId: `on${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
      summary: `Sent as ${type}`,
      tags: ['Webhooks'],
      request: {
        headers: WebhookHeaders,
        body: { required: true, content: { 'application/json': { schema } } },
      },
      responses: { 200: { description: 'Any 2xx acknowledges the event; everything else is retried.' } },
    })
}
