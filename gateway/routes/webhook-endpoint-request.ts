/** From what a customer sends to what the ledger keeps of an endpoint: checked, and what is secret sealed. */
import type { Context } from 'hono'
import type { EndpointChange, EndpointFields } from '../../ledger/endpoint-changes.ts'
import { randomBytes } from '../../ledger/ids.ts'
import { seal } from '../../ledger/vault.ts'
import { mintKey } from '../../ledger/webhooks/keys.ts'
import { headerFaults } from '../../ledger/webhooks/own-headers.ts'
import { isSecret } from '../../ledger/webhooks/signature.ts'
import type { FieldError } from '../../openapi/common.ts'
import { jsonPointer, shortened } from '../../openapi/field-errors.ts'
import type { WebhookEndpointPatch, WebhookEndpointRequest } from '../../openapi/webhook-endpoints.ts'
import { checkedUrl } from '../guarded-url.ts'
import { Problem } from '../problem.ts'
import type { GatewayContext } from '../router.ts'

interface Secrets {
  readonly headers?: Record<string, string> | null | undefined
  readonly secret?: string | undefined
}

/** Throws the problem for headers and a secret that cannot be taken, with each place named and no value told. */
export function checkSecrets({ headers, secret }: Secrets): void {
  const errors = [...headerErrors(headers ?? {}), ...secretErrors(secret)]
  if (errors.length > 0)
    throw new Problem('invalid-request', {
      detail: 'Headers or secret of the endpoint cannot be taken as they are.',
      errors,
    })
}

const headerErrors = (headers: Record<string, string>): FieldError[] =>
  headerFaults(headers).map(({ name, detail }) => ({
    pointer: jsonPointer(name === null ? ['headers'] : ['headers', shortened(name)]),
    detail,
  }))

const secretErrors = (secret: string | undefined): FieldError[] =>
  secret === undefined || isSecret(secret)
    ? []
    : [{ pointer: '/secret', detail: 'Must be whsec_ and the base64 of 24 to 64 bytes.' }]

/** What an endpoint is when its owner does not say otherwise. */
const defaultFields: Omit<EndpointFields, 'url'> = {
  eventTypes: ['*'],
  description: null,
  signing: 'hmac',
  ordered: false,
  maxPerSecond: null,
  headerNames: [],
  sealedHeaders: null,
  metadata: {},
}

/** Where the body's plain fields are kept. */
const kept = {
  event_types: 'eventTypes',
  description: 'description',
  signing: 'signing',
  ordered: 'ordered',
  max_per_second: 'maxPerSecond',
  metadata: 'metadata',
  status: 'status',
} as const satisfies Partial<Record<keyof WebhookEndpointPatch, keyof EndpointChange>>

const webhookUrl = { pointer: '/url', detail: 'Webhooks cannot be delivered to this URL.' }

/** The body's fields, and no others, of the endpoint of this ID; its secrets are checked. Throws the problem of a URL that is refused. */
export async function changeOf(
  c: Context<GatewayContext>,
  id: string,
  body: WebhookEndpointPatch,
): Promise<EndpointChange> {
  const named = Object.entries(kept).filter(([name]) => name in body)
  const plain = named.map(([name, field]) => [field, body[name as keyof typeof kept]])
  return {
    ...(Object.fromEntries(plain) as EndpointChange),
    ...(body.event_types && { eventTypes: [...new Set(body.event_types)] }),
    ...(body.url !== undefined && { url: await checkedUrl(c, body.url, webhookUrl) }),
    ...(body.headers !== undefined && (await sealedHeaders(c, id, body.headers ?? {}))),
  }
}

async function sealedHeaders(
  { var: { config } }: Context<GatewayContext>,
  id: string,
  headers: Record<string, string>,
) {
  const headerNames = Object.keys(headers)
  if (headerNames.length === 0) return { headerNames, sealedHeaders: null }
  const sealed = await seal(config.keyEncryptionKeys, JSON.stringify(headers), id, randomBytes)
  return { headerNames, sealedHeaders: sealed }
}

/** A new endpoint of this ID, and its secret as it is shown once. Throws the problem of a URL that is refused. */
export async function newEndpoint(
  c: Context<GatewayContext>,
  id: string,
  { url, secret: own, ...body }: WebhookEndpointRequest,
) {
  const fields = { ...defaultFields, url, ...(await changeOf(c, id, { ...body, url })) }
  const { keyEncryptionKeys } = c.var.config
  const { key: signingKey, secret } = await mintKey(keyEncryptionKeys, id, Date.now(), randomBytes, own)
  return { ...fields, signingKey, secret }
}
