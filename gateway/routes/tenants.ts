/** Tenants, as operators create and change them. */
import { createRoute, type z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { openDirectory } from '../../ledger/directory/open.ts'
import {
  type Act,
  addTenant,
  findTenant,
  listTenants,
  type TenantRow,
} from '../../ledger/directory/operations.ts'
import { changePlan, newcomer } from '../../ledger/directory/tenant-changes.ts'
import { contradictions } from '../../ledger/plan.ts'
import type { FieldError } from '../../openapi/common.ts'
import { Tenant, TenantPage, TenantPatch, TenantRequest } from '../../openapi/ops.ts'
import type { PlanInput } from '../../openapi/plan.ts'
import { PageQuery } from '../../openapi/webhooks.ts'
import { forOperators } from '../auth/authenticate.ts'
import { directoryPage } from '../directory-page.ts'
import { idempotent, keyParameter } from '../idempotency.ts'
import { once } from '../once.ts'
import { Problem, problems } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { tenantView } from '../views/tenant.ts'
import { bodyProblems, json, jsonBody, keyProblems, located, operatorProblems } from './shared.ts'
import { changeableTenant, existingTenant, TenantParams, tellLedger } from './tenant.ts'

const tags = ['Tenants']
const write = forOperators('ops:write')
const read = forOperators('ops:read')

const createTenant = createRoute({
  operationId: 'createTenant',
  method: 'post',
  path: '/ops/v1/tenants',
  tags,
  summary: 'Create a tenant and its ledger',
  description:
    'Limits that are not named have their defaults, or less where those that are named leave no room for that. A tenant gets in once it has a client.',
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
  description:
    'Those that are not named stay as they are. They hold at once. Limits that contradict each other are refused.',
  ...write,
  request: { params: TenantParams, body: jsonBody(TenantPatch) },
  responses: {
    200: json('The tenant.', Tenant),
    ...problems(...operatorProblems, ...bodyProblems, ...keyProblems, 'not-found'),
  },
})

export const tenantRoutes = newRouter()
  .openapi(createTenant, async (c) => {
    const { id, limits = {}, reason } = c.req.valid('json')
    refuse(contradictions(limits, limits))
    const tenant = await once<z.infer<typeof Tenant>>(c, reason, (actFor) => addNew(c, id, limits, actFor))
    // For a repetition too: the first request may have broken off before this.
    await tellLedger(c, id)
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
    const { id } = await changeableTenant(c, c.req.valid('param').tenant_id)
    const act = { operator: c.var.principal.clientId, reason, at: Date.now(), kept: null }
    refuse(await changePlan(openDirectory(c.env.DIRECTORY), id, limits, act))
    return c.json(tenantView(await tellLedger(c, id)), 200)
  })

async function addNew(
  c: Context<GatewayContext>,
  id: string,
  limits: PlanInput,
  actFor: (keep: z.infer<typeof Tenant>) => Act,
): Promise<z.infer<typeof Tenant>> {
  const directory = openDirectory(c.env.DIRECTORY)
  const other = await findTenant(directory, id)
  if (other) throw taken(other)
  const row = newcomer(id, limits, Date.now())
  const view = tenantView(row)
  await addTenant(directory, row, actFor(view))
  return view
}

const taken = ({ status }: TenantRow) =>
  new Problem('invalid-request', {
    detail:
      status === 'deleting'
        ? 'A tenant of this ID is being deleted; the ID is free once that is done.'
        : 'There is a tenant of this ID.',
    errors: [{ pointer: '/id', detail: 'This ID is taken.' }],
  })

function refuse(errors: FieldError[]): void {
  if (errors.length > 0)
    throw new Problem('invalid-request', { detail: 'The limits contradict each other.', errors })
}
