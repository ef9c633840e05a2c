/** Tenants, as operators create and change them. */
import { createRoute, type z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { openDirectory } from '../../ledger/directory/open.ts'
import {
  type Act,
  addTenant,
  changePlan,
  findTenant,
  listTenants,
  type TenantRow,
} from '../../ledger/directory/operations.ts'
import { ledgerName } from '../../ledger/directory/tenants.ts'
import { timestamp } from '../../ledger/wire.ts'
import { Plan, Tenant, TenantPage, TenantPatch, TenantRequest } from '../../openapi/ops.ts'
import { PageQuery } from '../../openapi/webhooks.ts'
import { forOperators } from '../auth/authenticate.ts'
import { directoryPage } from '../directory-page.ts'
import { idempotent, keyParameter } from '../idempotency.ts'
import { callLedger } from '../ledgers.ts'
import { once } from '../once.ts'
import { Problem, problems } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { bodyProblems, json, jsonBody, keyProblems, located, operatorProblems } from './shared.ts'
import { existingTenant, TenantParams } from './tenant.ts'

const tags = ['Tenants']
const write = forOperators('ops:write')
const read = forOperators('ops:read')

const createTenant = createRoute({
  operationId: 'createTenant',
  method: 'post',
  path: '/ops/v1/tenants',
  tags,
  summary: 'Create a tenant and its ledger',
  description: 'Limits that are not named have their defaults. A tenant gets in once it has a client.',
  ...write,
  middleware: [...write.middleware, idempotent(false)] as const,
  ...keyParameter(false),
  request: { body: jsonBody(TenantRequest) },
  responses: {
    201: located('The tenant. `Location` is its URL.', Tenant),
    ...problems(...operatorProblems, ...bodyProblems, ...keyProblems),
  },
})

const listTenantsRoute = createRoute({
  operationId: 'listTenants',
  method: 'get',
  path: '/ops/v1/tenants',
  tags,
  summary: 'List tenants',
  description: 'All of them, in the descending order of their IDs.',
  ...read,
  request: { query: PageQuery },
  responses: {
    200: json('A page of tenants.', TenantPage),
    ...problems(...operatorProblems),
  },
})

const getTenant = createRoute({
  operationId: 'getTenant',
  method: 'get',
  path: '/ops/v1/tenants/{tenant_id}',
  tags,
  summary: 'Read a tenant',
  description: 'Its status and its limits.',
  ...read,
  request: { params: TenantParams },
  responses: { 200: json('The tenant.', Tenant), ...problems(...operatorProblems, 'not-found') },
})

const updateTenant = createRoute({
  operationId: 'updateTenant',
  method: 'patch',
  path: '/ops/v1/tenants/{tenant_id}',
  tags,
  summary: "Change a tenant's limits",
  description: 'Those that are not named stay as they are. They hold at once.',
  ...write,
  request: { params: TenantParams, body: jsonBody(TenantPatch) },
  responses: {
    200: json('The tenant.', Tenant),
    ...problems(...operatorProblems, ...bodyProblems, ...keyProblems, 'not-found'),
  },
})

export const tenantRoutes = newRouter()
  .openapi(createTenant, async (c) => {
    const { id, limits, reason } = c.req.valid('json')
    const tenant = await once<z.infer<typeof Tenant>>(c, reason, (actFor) =>
      addNew(c, id, Plan.parse(limits ?? {}), actFor),
    )
    // For a repetition too: the first request may have broken off before this.
    await provision(c, await existingTenant(c, id))
    return c.json(tenant, 201, { Location: `${c.var.config.baseUrl}/ops/v1/tenants/${id}` })
  })
  .openapi(listTenantsRoute, async (c) => {
    const list = (after: string | null, size: number) =>
      listTenants(openDirectory(c.env.DIRECTORY), after, size)
    return c.json(await directoryPage(['ops', 'tenants'], c.req.valid('query'), list, tenantView), 200)
  })
  .openapi(getTenant, async (c) =>
    c.json(tenantView(await existingTenant(c, c.req.valid('param').tenant_id)), 200),
  )
  .openapi(updateTenant, async (c) => {
    const { limits, reason } = c.req.valid('json')
    const { id } = await existingTenant(c, c.req.valid('param').tenant_id)
    const act = { operator: c.var.principal.clientId, reason, at: Date.now(), kept: null }
    await changePlan(openDirectory(c.env.DIRECTORY), id, limits, act)
    const tenant = await existingTenant(c, id)
    await provision(c, tenant)
    return c.json(tenantView(tenant), 200)
  })

async function addNew(
  c: Context<GatewayContext>,
  id: string,
  plan: Plan,
  actFor: (keep: z.infer<typeof Tenant>) => Act,
): Promise<z.infer<typeof Tenant>> {
  const directory = openDirectory(c.env.DIRECTORY)
  if (await findTenant(directory, id)) throw taken()
  const row: TenantRow = {
    id,
    generation: FIRST_GENERATION,
    status: 'active',
    plan,
    planRevision: 1,
    createdAt: Date.now(),
  }
  const view = tenantView(row)
  await addTenant(directory, row, actFor(view))
  return view
}

const taken = () =>
  new Problem('invalid-request', {
    detail: 'There is a tenant of this ID.',
    errors: [{ pointer: '/id', detail: 'This ID is taken.' }],
  })

const FIRST_GENERATION = 1

/** Safe to repeat; a PATCH after a creation that broke off provisions the ledger as well. */
async function provision(
  c: Context<GatewayContext>,
  { id, generation, plan, planRevision }: TenantRow,
): Promise<void> {
  await callLedger(c.env, ledgerName(id, generation), (ledger) => ledger.provision(id, 0, plan, planRevision))
}

const tenantView = ({ id, status, plan, createdAt }: TenantRow): z.infer<typeof Tenant> => ({
  id,
  object: 'tenant',
  status,
  limits: plan,
  created_at: timestamp(createdAt),
})
