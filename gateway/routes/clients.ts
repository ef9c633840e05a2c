/** API clients of a tenant: create, list, read. What can be done to one is in `client-actions.ts`. */
import { createRoute } from '@hono/zod-openapi'
import { addClient, type ClientRow, listClients } from '../../ledger/directory/clients.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { Client, ClientPage, ClientRequest, ClientWithSecret } from '../../openapi/clients.ts'
import { tenantScopes } from '../../openapi/tenant-words.ts'
import { PageQuery } from '../../openapi/webhooks.ts'
import { forOperators } from '../auth/authenticate.ts'
import { mintProof, newClient } from '../auth/clients.ts'
import { directoryPage } from '../directory-page.ts'
import { once } from '../once.ts'
import { problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { clientView, clientWithSecret } from '../views/client.ts'
import { ClientParams, existingClient, clientTags as tags } from './client.ts'
import {
  json,
  jsonBody,
  keyedForOperators,
  located,
  operatorPostProblems,
  operatorProblems,
} from './shared.ts'
import { changeableTenant, existingTenant, TenantParams } from './tenant.ts'

const createClient = createRoute({
  operationId: 'createClient',
  method: 'post',
  path: '/ops/v1/tenants/{tenant_id}/clients',
  tags,
  summary: 'Create an API client of a tenant',
  description:
    'It authenticates by the secret in the answer, which is never shown again, or, where `jwks` is given, by assertions that it signs with a key of its own (`private_key_jwt`, RFC 7523).',
  ...keyedForOperators('ops:write'),
  request: { params: TenantParams, body: jsonBody(ClientRequest) },
  responses: {
    201: located('The client, with its secret. `Location` is its URL.', ClientWithSecret),
    ...problems(...operatorPostProblems, 'not-found'),
  },
})

const listClientsRoute = createRoute({
  operationId: 'listClients',
  method: 'get',
  path: '/ops/v1/tenants/{tenant_id}/clients',
  tags,
  summary: "List a tenant's API clients, newest first",
  description: 'Disabled ones too; never with their secrets.',
  ...forOperators('ops:read'),
  request: { params: TenantParams, query: PageQuery },
  responses: {
    200: json('A page of clients.', ClientPage),
    ...problems(...operatorProblems, 'not-found'),
  },
})

const getClient = createRoute({
  operationId: 'getClient',
  method: 'get',
  path: '/ops/v1/tenants/{tenant_id}/clients/{client_id}',
  tags,
  summary: 'Read an API client of a tenant',
  description: 'Never with its secret, which is shown once: when it is created or rotated.',
  ...forOperators('ops:read'),
  request: { params: ClientParams },
  responses: { 200: json('The client.', Client), ...problems(...operatorProblems, 'not-found') },
})

export const clientRoutes = newRouter()
  .openapi(createClient, async (c) => {
    const { name, scopes = tenantScopes, jwks, reason } = c.req.valid('json')
    const { tenant_id } = c.req.valid('param')
    const client = await once<ClientWithSecret>(c, reason, async (actFor) => {
      const { id } = await changeableTenant(c, tenant_id)
      const { proof, secret } = await mintProof(jwks)
      const row = newClient(id, name, scopes, proof, Date.now())
      const kept = clientWithSecret(row, null)
      await addClient(openDirectory(c.env.DIRECTORY), row, actFor(kept))
      return { ...kept, client_secret: secret }
    })
    const path = `/ops/v1/tenants/${tenant_id}/clients/${client.client_id}`
    return c.json(client, 201, { Location: c.var.config.baseUrl + path })
  })
  .openapi(listClientsRoute, async (c) => {
    const { id } = await existingTenant(c, c.req.valid('param').tenant_id)
    const list = (after: string | null, size: number) =>
      listClients(openDirectory(c.env.DIRECTORY), id, after, size)
    const view = (row: ClientRow) => clientView(row, Date.now())
    return c.json(await directoryPage(['ops', 'clients', id], c.req.valid('query'), list, view), 200)
  })
  .openapi(getClient, async (c) =>
    c.json(clientView(await existingClient(c, c.req.valid('param')), Date.now()), 200),
  )
