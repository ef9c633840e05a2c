/** Changing the key-encryption key: what a ledger, of a tenant or of operators, holds under an older one is sealed under the present one. */
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { openDirectory } from '../../ledger/directory/open.ts'
import { recordAct } from '../../ledger/directory/operations.ts'
import { ledgerName } from '../../ledger/directory/tenants.ts'
import { randomBytes } from '../../ledger/ids.ts'
import { OPERATORS_LEDGER } from '../../ledger/operators.ts'
import type { SealedText } from '../../ledger/sealed-texts.ts'
import { resealed } from '../../ledger/vault.ts'
import { ReasonedAction, Resealing } from '../../openapi/ops.ts'
import { callLedger, outOfReach } from '../ledgers.ts'
import { onceInSteps } from '../once.ts'
import { problems } from '../problem.ts'
import { type GatewayContext, newRouter } from '../router.ts'
import { alertTags } from './alert-endpoint.ts'
import { json, jsonBody, keyedForOperators, operatorPostProblems } from './shared.ts'
import { changeableTenant, TenantParams } from './tenant.ts'

const resealTenant = createRoute({
  operationId: 'resealTenant',
  method: 'post',
  path: '/ops/v1/tenants/{tenant_id}/reseal',
  tags: ['Tenants'],
  summary: "Seal a tenant's secrets under the present key-encryption key",
  description:
    'Secrets, signing seeds and header values of its webhook endpoints that lie under an older key. Once nothing of any tenant does, that key may go. Safe to repeat.',
  ...keyedForOperators('ops:write'),
  request: { params: TenantParams, body: jsonBody(ReasonedAction) },
  responses: {
    200: json('How many were sealed anew.', Resealing),
    ...problems(...operatorPostProblems, 'not-found', 'idempotency-in-progress'),
  },
})

const resealAlertEndpoints = createRoute({
  operationId: 'resealAlertEndpoints',
  method: 'post',
  path: '/ops/v1/alert_endpoints/reseal',
  tags: alertTags,
  summary: "Seal the secrets of operators' endpoints under the present key-encryption key",
  description: 'As for a tenant: of all endpoints for alerts.',
  ...keyedForOperators('ops:write'),
  request: { body: jsonBody(ReasonedAction) },
  responses: {
    200: json('How many were sealed anew.', Resealing),
    ...problems(...operatorPostProblems, 'idempotency-in-progress'),
  },
})

export const resealingRoutes = newRouter()
  .openapi(resealTenant, async (c) => {
    const { id, generation } = await changeableTenant(c, c.req.valid('param').tenant_id)
    return c.json(await reseal(c, id, ledgerName(id, generation), c.req.valid('json').reason), 200)
  })
  .openapi(resealAlertEndpoints, async (c) =>
    c.json(await reseal(c, null, OPERATORS_LEDGER, c.req.valid('json').reason), 200),
  )

/** `tenantId`: null for operators. */
const reseal = (c: Context<GatewayContext>, tenantId: string | null, ledger: string, reason: string) =>
  onceInSteps(c, async () => {
    const [action, target] =
      tenantId === null ? ['alert_endpoint.reseal', 'all'] : ['tenant.reseal', tenantId]
    const act = { operator: c.var.principal.clientId, reason, at: Date.now() }
    await recordAct(openDirectory(c.env.DIRECTORY), action, target, act).catch(outOfReach)
    return { tenant_id: tenantId, object: 'resealing' as const, ...(await resealAll(c, ledger)) }
  })

/** One that no key opens, since its key was taken away too early, must not keep the others under theirs. */
async function resealAll(c: Context<GatewayContext>, ledger: string) {
  const texts = await callLedger(c.env, ledger, (stub) => stub.sealedTexts())
  const tried = await Promise.allSettled(
    texts.map((text) => sealedAnew(c.var.config.keyEncryptionKeys, text)),
  )
  const fresh = tried.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []))
  const anew = await callLedger(c.env, ledger, (stub) => stub.replaceSealed(new Map(fresh)))
  const unreadable = tried.filter(({ status }) => status === 'rejected').length
  return { sealed: texts.length, resealed: anew, unreadable }
}

/** The text of before with the new one. */
async function sealedAnew(keys: string, { endpointId, sealed }: SealedText) {
  const fresh = await resealed(keys, sealed, endpointId, randomBytes)
  return fresh === null ? null : ([sealed, fresh] as const)
}
