/** What operators do to one API client: rotate what it authenticates by, disable it. A client is found by its tenant, or by its ID alone. */
import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { type ClientRow, disableClient, rotateClient } from '../../ledger/directory/clients.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import {
  Client,
  ClientRotation,
  ClientWithSecret,
  DEFAULT_SECRET_OVERLAP_SECONDS,
} from '../../openapi/clients.ts'
import { ReasonedAction } from '../../openapi/ops.ts'
import { mintProof, validFormerSecrets } from '../auth/clients.ts'
import { once } from '../once.ts'
import { Problem, problems } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { clientView, clientWithSecret } from '../views/client.ts'
import { ClientParams, clientId, existingClient, clientTags as tags, type WhichClient } from './client.ts'
import { json, jsonBody, keyedForOperators, operatorPostProblems } from './shared.ts'

const ofTenant = {
  path: '/ops/v1/tenants/{tenant_id}/clients/{client_id}',
  params: ClientParams,
} as const
/** Operators' clients are of no tenant. */
const ofAnyone = {
  path: '/ops/v1/clients/{client_id}',
  params: z.object({ client_id: clientId }),
} as const
type Whose = typeof ofTenant | typeof ofAnyone

const rotation = <N extends string, W extends Whose>(operationId: N, { path, params }: W, summary: string) =>
  createRoute({
    operationId,
    method: 'post',
    path: `${path as W['path']}/rotate`,
    tags,
    summary,
    description:
      'Answers with a new secret, which is never shown again. Older ones are taken for `overlap_seconds` more, so that the client can change over at any moment between. A client with keys gets the new ones instead; one with a secret that is given `jwks` changes over to keys. Tokens that it has are good to their end.',
    ...keyedForOperators('ops:write'),
    request: { params: params as W['params'], body: jsonBody(ClientRotation) },
    responses: {
      200: json('The client, with its new secret.', ClientWithSecret),
      ...problems(...operatorPostProblems, 'not-found'),
    },
  })

const disabling = <N extends string, W extends Whose>(operationId: N, { path, params }: W, summary: string) =>
  createRoute({
    operationId,
    method: 'post',
    path: `${path as W['path']}/disable`,
    tags,
    summary,
    description:
      'For good. It gets no more tokens, and those that it has are refused within a minute. Its jobs go on.',
    ...keyedForOperators('ops:write'),
    request: { params: params as W['params'], body: jsonBody(ReasonedAction) },
    responses: {
      200: json('The client.', Client),
      ...problems(...operatorPostProblems, 'not-found'),
    },
  })

const rotateTenantClient = rotation('rotateTenantClient', ofTenant, 'Give a client of a tenant a new secret')
const rotateAnyClient = rotation(
  'rotateClient',
  ofAnyone,
  'Give a client, of a tenant or of operators, a new secret',
)
const disableTenantClient = disabling('disableTenantClient', ofTenant, 'Disable a client of a tenant')
const disableAnyClient = disabling('disableClient', ofAnyone, 'Disable a client, of a tenant or of operators')

export const clientActionRoutes = newRouter()
  .openapi(rotateTenantClient, async (c) =>
    c.json(await rotate(c, c.req.valid('param'), c.req.valid('json')), 200),
  )
  .openapi(rotateAnyClient, async (c) =>
    c.json(await rotate(c, c.req.valid('param'), c.req.valid('json')), 200),
  )
  .openapi(disableTenantClient, async (c) =>
    c.json(await disable(c, c.req.valid('param'), c.req.valid('json').reason), 200),
  )
  .openapi(disableAnyClient, async (c) =>
    c.json(await disable(c, c.req.valid('param'), c.req.valid('json').reason), 200),
  )

const rotate = (c: Context<GatewayContext>, which: WhichClient, order: ClientRotation) =>
  once<ClientWithSecret>(c, order.reason, async (actFor) => {
    const { jwks, overlap_seconds = DEFAULT_SECRET_OVERLAP_SECONDS } = order
    const now = Date.now()
    const before = await existingClient(c, which)
    refuseRotation(before, order, now)
    const { proof, secret } = await mintProof(jwks)
    const kept = clientWithSecret({ ...before, ...proof }, null)
    const until = now + overlap_seconds * 1000
    await rotateClient(openDirectory(c.env.DIRECTORY), before.id, proof, until, actFor(kept))
    return { ...kept, client_secret: secret }
  })

/** Each is compared with what a client sends. */
const MAX_SECRETS = 10

function refuseRotation(client: ClientRow, { jwks, overlap_seconds }: ClientRotation, now: number): void {
  if (client.disabledAt !== null) throw new Problem('invalid-request', { detail: 'The client is disabled.' })
  if (client.jwks && !jwks) throw refused('/jwks', 'Required: this client has keys.')
  if (overlap_seconds !== 0 && validFormerSecrets(client, now).length + 2 > MAX_SECRETS)
    throw refused('/overlap_seconds', `More than ${MAX_SECRETS} secrets would be taken at once.`)
}

const refused = (pointer: string, detail: string) =>
  new Problem('invalid-request', {
    detail: 'The client cannot be rotated so.',
    errors: [{ pointer, detail }],
  })

const disable = (c: Context<GatewayContext>, which: WhichClient, reason: string) =>
  once<z.infer<typeof Client>>(c, reason, async (actFor) => {
    if (which.client_id === c.var.principal.clientId)
      throw new Problem('invalid-request', { detail: 'The request was made by this client itself.' })
    const client = await existingClient(c, which)
    const now = Date.now()
    const view = clientView({ ...client, disabledAt: client.disabledAt ?? now }, now)
    await disableClient(openDirectory(c.env.DIRECTORY), client.id, now, actFor(view))
    return view
  })
