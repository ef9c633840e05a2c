/** Pausing what is taken in, by tenant, kind and model, and resuming it. */
import { createRoute } from '@hono/zod-openapi'
import { findModel } from '../../catalog/models.ts'
import {
  findPause,
  listPauses,
  type PauseRow,
  pauseIntake,
  pauseRow,
  pausesOver,
  resumeIntake,
} from '../../ledger/directory/intake.ts'
import { type Directory, openDirectory } from '../../ledger/directory/open.ts'
import { findTenant } from '../../ledger/directory/operations.ts'
import type { Scope } from '../../ledger/orders.ts'
import {
  Intake,
  IntakePausePage,
  IntakePauseRequest,
  IntakeResumption,
  type IntakeResumption as ScopeAsked,
} from '../../openapi/intake.ts'
import { PageQuery } from '../../openapi/webhooks.ts'
import { forOperators } from '../auth/authenticate.ts'
import { directoryPage } from '../directory-page.ts'
import { once } from '../once.ts'
import { tellOrders } from '../orders.ts'
import { Problem, problems } from '../problem.ts'
import { newRouter } from '../router.ts'
import { intakeView, pauseView } from '../views/intake.ts'
import { json, jsonBody, keyedForOperators, operatorPostProblems, operatorProblems } from './shared.ts'

const tags = ['Intake']
const write = keyedForOperators('ops:write')

const pauseRoute = createRoute({
  operationId: 'pauseIntake',
  method: 'post',
  path: '/ops/v1/intake/pause',
  tags,
  summary: 'Pause the intake',
  description:
    'New work of the scope is refused (`intake-paused`), and what was accepted waits or drains. Running work finishes; deadlines go on. A pause of one tenant holds at once, any other everywhere within seconds. The same scope again takes the place of its earlier pause.',
  ...write,
  request: { body: jsonBody(IntakePauseRequest) },
  responses: {
    200: json('How the intake stands for the scope now.', Intake),
    ...problems(...operatorPostProblems),
  },
})

const resumeRoute = createRoute({
  operationId: 'resumeIntake',
  method: 'post',
  path: '/ops/v1/intake/resume',
  tags,
  summary: 'Resume the intake',
  description:
    'Ends the pause of exactly this scope. Where there is none nothing changes; the answer names what still holds.',
  ...write,
  request: { body: jsonBody(IntakeResumption) },
  responses: {
    200: json('How the intake stands for the scope now.', Intake),
    ...problems(...operatorPostProblems),
  },
})

const listRoute = createRoute({
  operationId: 'listIntakePauses',
  method: 'get',
  path: '/ops/v1/intake',
  tags,
  summary: 'List the pauses in force',
  description: 'Who paused what, and why.',
  ...forOperators('ops:read'),
  request: { query: PageQuery },
  responses: { 200: json('A page of pauses.', IntakePausePage), ...problems(...operatorProblems) },
})

export const intakeRoutes = newRouter()
  .openapi(pauseRoute, async (c) => {
    const { accepted_work = 'hold', reason, ...asked } = c.req.valid('json')
    const scope = scopeOf(asked)
    const view = await once<Intake>(c, reason, async (actFor) => {
      const directory = openDirectory(c.env.DIRECTORY)
      await refuseUnknown(directory, scope)
      const by = { operator: c.var.principal.clientId, reason, at: Date.now() }
      const row = pauseRow(scope, accepted_work, by)
      const kept = intakeView(scope, [row, ...(await othersOver(directory, row))])
      await pauseIntake(directory, row, actFor(kept))
      return kept
    })
    await tellOrders(c, scope.tenantId)
    return c.json(view, 200)
  })
  .openapi(resumeRoute, async (c) => {
    const { reason, ...asked } = c.req.valid('json')
    const scope = scopeOf(asked)
    const view = await once<Intake>(c, reason, async (actFor) => {
      const directory = openDirectory(c.env.DIRECTORY)
      const pause = await findPause(directory, scope)
      if (!pause) await refuseUnknown(directory, scope)
      const over = await pausesOver(directory, scope)
      const kept = intakeView(
        scope,
        over.filter(({ id }) => id !== pause?.id),
      )
      await resumeIntake(directory, scope, actFor(kept))
      return kept
    })
    await tellOrders(c, scope.tenantId)
    return c.json(view, 200)
  })
  .openapi(listRoute, async (c) => {
    const list = (after: string | null, size: number) =>
      listPauses(openDirectory(c.env.DIRECTORY), after, size)
    return c.json(await directoryPage(['ops', 'intake'], c.req.valid('query'), list, pauseView), 200)
  })

const scopeOf = ({ tenant_id, kind, model }: Omit<ScopeAsked, 'reason'>): Scope => ({
  tenantId: tenant_id ?? null,
  kind: kind ?? null,
  model: model ?? null,
})

const othersOver = async (directory: Directory, { id, ...scope }: PauseRow) =>
  (await pausesOver(directory, scope)).filter((other) => other.id !== id)

/** A slip of the pen must not look like a pause. */
async function refuseUnknown(directory: Directory, { tenantId, model }: Scope): Promise<void> {
  const status = tenantId === null ? 'active' : (await findTenant(directory, tenantId))?.status
  if (!status) throw unknown('/tenant_id', 'There is no such tenant.')
  if (status === 'deleting') throw unknown('/tenant_id', 'The tenant is being deleted.')
  if (model !== null && !findModel(model)) throw unknown('/model', 'Unknown model.')
}

const unknown = (pointer: string, detail: string) =>
  new Problem('invalid-request', {
    detail: 'The scope names what there is not.',
    errors: [{ pointer, detail }],
  })
