/** Whether work, a job or a batch, may be taken on as things stand. What is the same for both is said here, once. */
import { fitsBudget } from './budget.ts'
import type { LedgerContext } from './context.ts'
import { heldNow } from './epoch.ts'
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

export function* modelRefusals({ plan }: LedgerContext, provider: string) {
  if (provider === 'test' && !plan.test_models)
    yield refused('invalid-request', 'The model is not available to this tenant.', {
      errors: [{ pointer: '/model', detail: 'Unknown model.' }],
    })
}

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
