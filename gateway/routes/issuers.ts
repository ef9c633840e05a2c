/** Issuers other than our own, as operators register and remove them: each for exactly one tenant. */
import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { findIssuer, type IssuerRow, listIssuers, removeIssuer } from '../../ledger/directory/issuers.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { Issuer, IssuerPage, IssuerRequest } from '../../openapi/issuers.ts'
import { ReasonedAction } from '../../openapi/ops.ts'
import { PageQuery } from '../../openapi/webhooks.ts'
import { forOperators } from '../auth/authenticate.ts'
import { forgetIssuer } from '../auth/issuers/verify.ts'
import { audienceOf } from '../auth/token.ts'
import { directoryPage } from '../directory-page.ts'
import { once } from '../once.ts'
import { Problem, problems } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { issuerView } from '../views/issuer.ts'
import { register } from './issuer-registration.ts'
import {
  bodyProblems,
  json,
  jsonBody,
  keyedForOperators,
  located,
  operatorPostProblems,
  operatorProblems,
} from './shared.ts'
import { changeableTenant, existingTenant, TenantParams } from './tenant.ts'

const tags = ['Issuers']
const IssuerParams = TenantParams.extend({
  issuer_id: z
    .string()
    .meta({ description: 'The ID of an issuer.', example: 'iss_01kb9j2p7s000x4b7e0h3k6n9r2t' }),
})
const read = forOperators('ops:read')

const createIssuer = createRoute({
  operationId: 'createIssuer',
  method: 'post',
  path: '/ops/v1/tenants/{tenant_id}/issuers',
  tags,
  summary: 'Trust an issuer for a tenant',
  description: [
    'From then on `/v1` takes access tokens of this issuer (RFC 9068) beside our own: `typ` of `at+jwt`, `iss`, `aud`, `sub`,',
    '`client_id`, `jti`, `iat`, `exp` at most an hour later, the `tenant_id` of this tenant, and in `scope` what they are to be good',
    'for, of which the registration lets through what it names. They are signed by ES256, ES384, EdDSA (Ed25519), RS256 to RS512 or PS256',
    'to PS512, with RSA keys of 2048 bits or more, and name their key by its `kid`.',
    '',
    'Its keys are found by OpenID Connect Discovery or RFC 8414. They are read at once, and the answer tells what came of it; an issuer',
    'that cannot be reached is registered all the same, and asked again when it is needed.',
    '',
    'An issuer is registered for one tenant at most. A registration and its end take effect within half a minute.',
  ].join('\n'),
  ...keyedForOperators('ops:write'),
  request: { params: TenantParams, body: jsonBody(IssuerRequest) },
  responses: {
    201: located('The issuer. `Location` is its URL.', Issuer),
    ...problems(...operatorPostProblems, 'not-found'),
  },
})

const listIssuersRoute = createRoute({
  operationId: 'listIssuers',
  method: 'get',
  path: '/ops/v1/tenants/{tenant_id}/issuers',
  tags,
  summary: 'List the issuers of a tenant',
  description: 'Each with what is known of its keys.',
  ...read,
  request: { params: TenantParams, query: PageQuery },
  responses: { 200: json('A page of issuers.', IssuerPage), ...problems(...operatorProblems, 'not-found') },
})

const getIssuer = createRoute({
  operationId: 'getIssuer',
  method: 'get',
  path: '/ops/v1/tenants/{tenant_id}/issuers/{issuer_id}',
  tags,
  summary: 'Read an issuer',
  description: 'What its tokens may be good for, and what is known of its keys.',
  ...read,
  request: { params: IssuerParams },
  responses: { 200: json('The issuer.', Issuer), ...problems(...operatorProblems, 'not-found') },
})

const deleteIssuer = createRoute({
  operationId: 'deleteIssuer',
  method: 'delete',
  path: '/ops/v1/tenants/{tenant_id}/issuers/{issuer_id}',
  tags,
  summary: 'Trust an issuer no longer',
  description: 'Its tokens are refused within half a minute. Jobs that they submitted run on.',
  ...forOperators('ops:write'),
  request: { params: IssuerParams, body: jsonBody(ReasonedAction) },
  responses: {
    204: { description: 'It is trusted no longer.' },
    ...problems(...operatorProblems, ...bodyProblems, 'not-found'),
  },
})

export const issuerRoutes = newRouter()
  .openapi(createIssuer, async (c) => {
    const { reason, ...asked } = c.req.valid('json')
    const issuer = await once<z.infer<typeof Issuer>>(c, reason, async (actFor) => {
      const { id } = await changeableTenant(c, c.req.valid('param').tenant_id)
      return register(c, id, asked, actFor)
    })
    forgetIssuer(issuer.issuer)
    const path = `/ops/v1/tenants/${issuer.tenant_id}/issuers/${issuer.id}`
    return c.json(issuer, 201, { Location: c.var.config.baseUrl + path })
  })
  .openapi(listIssuersRoute, async (c) => {
    const { id } = await existingTenant(c, c.req.valid('param').tenant_id)
    const list = (after: string | null, size: number) =>
      listIssuers(openDirectory(c.env.DIRECTORY), id, after, size)
    const view = (row: IssuerRow) => issuerView(row, audienceOf(c.var.config, 'tenants'))
    return c.json(await directoryPage(['ops', 'issuers', id], c.req.valid('query'), list, view), 200)
  })
  .openapi(getIssuer, async (c) => {
    const row = await existing(c, c.req.valid('param'))
    return c.json(issuerView(row, audienceOf(c.var.config, 'tenants')), 200)
  })
  .openapi(deleteIssuer, async (c) => {
    const { reason } = c.req.valid('json')
    const row = await existing(c, c.req.valid('param'))
    const act = { operator: c.var.principal.clientId, reason, at: Date.now(), kept: null }
    await removeIssuer(openDirectory(c.env.DIRECTORY), row, act)
    forgetIssuer(row.issuer)
    return c.body(null, 204)
  })

async function existing(
  c: Context<GatewayContext>,
  { tenant_id, issuer_id }: z.infer<typeof IssuerParams>,
): Promise<IssuerRow> {
  const row = await findIssuer(openDirectory(c.env.DIRECTORY), tenant_id, issuer_id)
  if (!row) throw new Problem('not-found', { detail: 'This tenant has no such issuer.' })
  return row
}
