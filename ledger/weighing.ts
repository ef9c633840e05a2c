/** Whether work, a job or a batch, may be taken on as things stand. What is the same for both is said here, once. */
import type { KindName } from '../catalog/kind.ts'
import { findModel, isEnabled } from '../catalog/models.ts'
import { fitsBudget } from './budget.ts'
import type { LedgerContext } from './context.ts'
import { heldNow } from './epoch.ts'
import { isPaused } from './orders.ts'
import { refused } from './replies.ts'
import { noRoom } from './room.ts'

const OPEN_AGAIN_SECONDS = 30

export interface Weighed {
  readonly estimateMicroUsd: number
  readonly maxCostMicroUsd: number | null
}

/** The work of its sort that is unfinished: how much there is, and may be. */
export interface Backlog {
  readonly one: string
  readonly many: string
  readonly open: () => number
  readonly most: number
}

/** What the work is. */
export interface AskedWork {
  kind: KindName
  model: string
  readonly provider: string
}

export function* modelRefusals({ plan, orders }: LedgerContext, { model: id, provider }: AskedWork) {
  if (provider === 'test' && !plan.test_models)
    yield refused('invalid-request', 'The model is not available to this tenant.', {
      errors: [{ pointer: '/model', detail: 'Unknown model.' }],
    })
  const model = findModel(id)
  if (model && !isEnabled(model, orders.models))
    yield refused('invalid-request', 'The model takes no work at present.', {
      errors: [{ pointer: '/model', detail: 'Not enabled.' }],
    })
}

export function* intakeRefusals(
  { identity: { tenantId }, orders }: LedgerContext,
  { kind, model }: AskedWork,
) {
  if (isPaused(orders, { tenantId, kind, model })) yield paused
}

/** Operators take in nothing like it for now. */
export const paused = refused('intake-paused', 'Operators have paused the intake of such work.', {
  retryAfterSeconds: OPEN_AGAIN_SECONDS,
})

/** The weightiest reason first; worked out one by one. */
export function* roomRefusals(ctx: LedgerContext, work: Weighed, { one, many, open, most }: Backlog) {
  const { estimateMicroUsd, maxCostMicroUsd } = work
  if (maxCostMicroUsd !== null && estimateMicroUsd > maxCostMicroUsd)
    yield refused('cost-over-limit', `The estimated cost of the ${one} is above max_cost_usd.`)
  if (ctx.standing.held) yield heldNow
  if (ctx.full) yield noRoom
  if (open() >= most)
    yield refused('backlog-full', `The tenant has ${most} unfinished ${many}, as many as its plan allows.`, {
      retryAfterSeconds: OPEN_AGAIN_SECONDS,
    })
  if (!fitsBudget(ctx, estimateMicroUsd))
    yield refused(
      'budget-exhausted',
      "The estimate does not fit into what is left of the tenant's monthly budget.",
    )
}
