/** The generated documents: what they are about, how to authenticate, and the webhooks that they announce. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Env } from 'hono'
import type { KindName } from '../catalog/kind.ts'
import { alertEventTexts } from './alert-words.ts'
import { alertEvents } from './alerts.ts'
import { batchItems, itemName } from './batch-items.ts'
import { alertWebhookExamples } from './examples/alerts.ts'
import { webhookExamples } from './examples/events.ts'
import { EXAMPLE_BASE_URL } from './examples/example.ts'
import { problemExample } from './examples/problems.ts'
import { finishedSchema, finisher } from './finish.ts'
import { mapValues, type Paths, pascal } from './operation.ts'
import { problemCodes, problemExampleName } from './problems.ts'
import { tagsOf } from './tags.ts'
import { opsScopes, tenantScopes } from './tenant-words.ts'
import { securitySchemes, tokenRoute } from './tokens.ts'
import { eventTexts, WebhookHeaders, webhookEvents } from './webhooks.ts'

export const VERSION = '0.1.0'

const heads = {
  tenants: {
    title: 'Asynchronous AI gateway',
    description: `Hand over AI work that nobody waits for: submit a job, get \`202 Accepted\` with a status URL at once, and be told by
signed webhooks when it was accepted, when its result is available, or that it failed. A webhook can overtake the 202.
Not promised: immediate answers, exact completion times, atomicity across jobs.

**Tokens.** Fetch one from \`POST /oauth/token\` with your client ID and secret, and send it as \`Authorization: Bearer …\`. It is good for
15 minutes. Each operation names the scope that it needs.

**Idempotency.** \`POST /v1/jobs\` and \`POST /v1/batches\` require an \`Idempotency-Key\`; every other POST takes one, but for the
estimates. Send a fresh key with new work, and the same key with the same request to try again: the first answer comes once more, with
\`Idempotency-Replayed: true\`. Keys are kept for 24 hours at least, and for as long as the work has not ended.

**Errors.** Refusals are problem documents (RFC 9457). Go by \`type\`, show \`detail\`, and tell us \`request_id\` when you ask.
A path that has no such method answers 405, with \`Allow\`.

**What may change.** Answers may gain members, lists may gain values, and unions may gain kinds: pass over what you do not know.
Requests are read strictly: a field or parameter that is not described is refused by its name.

**Limits.** \`RateLimit\` says what is left. After a 429 or 503 wait for \`Retry-After\` seconds, and send the same request with the same key.

Besides the operations, these are open to everybody: \`/healthz\`, \`/.well-known/oauth-authorization-server\`, \`/.well-known/jwks.json\`,
\`/problems/{slug}\` with what to do about a problem, and \`/docs\`.`,
    scopes: tenantScopes,
  },
  operators: {
    title: 'Asynchronous AI gateway: operations',
    description: `For the people who run the service. It never shows the content of a job.

Tokens come from \`POST /oauth/token\` of the same host. Every change takes a \`reason\`, which is kept in the audit log with the operator's
client. Every POST takes an \`Idempotency-Key\`. Refusals are problem documents (RFC 9457).`,
    scopes: opsScopes,
  },
} as const
export type Audience = keyof typeof heads

/** An app's OpenAPI 3.1 document, complete. */
export function makeDocument<E extends Env>(app: OpenAPIHono<E>, audience: Audience, baseUrl: string) {
  const { title, description, scopes } = heads[audience]
  const { components, paths, webhooks } = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title, version: VERSION },
  })
  const finish = finisher()
  const finished = {
    paths: finish.paths(paths as unknown as Paths),
    webhooks: finish.webhooks(webhooks as unknown as Paths),
  }
  const { clientSecretBasic, oauth2 } = securitySchemes(scopes, baseUrl)
  const document = {
    openapi: '3.1.0',
    info: {
      title,
      version: VERSION,
      description,
      contact: { name: 'The operators of the gateway', url: `${baseUrl}/docs` },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: baseUrl }],
    security: [{ oauth2: [...scopes] }],
    tags: tagsOf(usedTags(finished)),
    ...finished,
    components: {
      schemas: sorted(mapValues(components?.schemas ?? {}, finishedSchema)),
      ...finish.components,
      examples: sorted({ ...finish.components.examples, ...problemExamples() }),
      securitySchemes: audience === 'tenants' ? { oauth2, clientSecretBasic } : { oauth2 },
    },
  }
  return withBaseUrl(withoutUnused(document), baseUrl)
}

const sorted = <V>(values: Readonly<Record<string, V>>) =>
  Object.fromEntries(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const usedTags = ({ paths, webhooks }: { paths: object; webhooks?: object }) =>
  [paths, webhooks ?? {}].flatMap((items) =>
    Object.values(items as Paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ tags = [] }) => tags),
    ),
  )

/** Headers and problems that no answer of this document has. */
function withoutUnused<D extends { components: { headers: object; examples: object } }>(document: D): D {
  const text = JSON.stringify(document)
  const used = (kind: string, all: object) =>
    Object.fromEntries(
      Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
    )
  const { headers, examples } = document.components
  const components = {
    ...document.components,
    headers: used('headers', headers),
    examples: used('examples', examples),
  }
  return { ...document, components }
}

const problemExamples = () =>
  Object.fromEntries(problemCodes.map((code) => [problemExampleName(code), problemExample(code)]))

/** Examples show the URLs of the service that the document is of. */
const withBaseUrl = <D extends object>(document: D, baseUrl: string): D =>
  JSON.parse(JSON.stringify(document).replaceAll(EXAMPLE_BASE_URL, baseUrl)) as D

/** What requests refer to by name, without being checked by it. */
export function describeBatchItems<E extends Env>(app: OpenAPIHono<E>): void {
  for (const [kind, schema] of Object.entries(batchItems))
    app.openAPIRegistry.register(itemName(kind as KindName), schema)
}

/** What is served without a router that checks by schema. */
export function describeTokens<E extends Env>(app: OpenAPIHono<E>): void {
  app.openAPIRegistry.registerPath(tokenRoute)
}

/** Who is told of what: in which words, and what it looks like. */
const told = {
  tenants: { events: webhookEvents, texts: eventTexts, examples: webhookExamples },
  operators: {
    events: alertEvents,
    texts: { ...alertEventTexts, ping: eventTexts.ping },
    examples: alertWebhookExamples,
  },
}

export function describeWebhooks<E extends Env>(app: OpenAPIHono<E>, audience: Audience): void {
  const { events, texts, examples } = told[audience]
  for (const [type, schema] of Object.entries(events))
    app.openAPIRegistry.registerWebhook({
      method: 'post',
      path: type,
      operationId: `on${pascal(type)}`,
      summary: `Sent as ${type}`,
      description: `${texts[type as keyof typeof texts]} Verify the signature over the raw bytes, store the event, answer within 15 seconds, and work afterwards. It can come twice, and out of order.`,
      tags: ['Webhooks'],
      security: [],
      request: {
        headers: WebhookHeaders,
        body: {
          required: true,
          description: 'The event. Its bytes are the same in each delivery.',
          content: { 'application/json': { schema, examples: examples(type) } },
        },
      },
      responses: webhookResponses,
    })
}

const webhookResponses = {
  200: { description: 'Any 2xx acknowledges the event.' },
  410: { description: 'Disables the endpoint at once.' },
  default: { description: 'The delivery is tried again, at growing intervals for three days.' },
}
