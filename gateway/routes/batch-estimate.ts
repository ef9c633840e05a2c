/** What a batch would cost and whether it would be accepted now; nothing is stored. */
import type { Context } from 'hono'
import type { PlanSummary } from '../../ledger/batches/plan.ts'
import type { BatchEstimate } from '../../openapi/batch-contents.ts'
import type { BatchRequest } from '../../openapi/batch-requests.ts'
import { standingOrders } from '../orders.ts'
import { Problem } from '../problem.ts'
import type { GatewayContext } from '../router.ts'
import { estimateView, microUsdOf } from '../views/batch-estimate.ts'
import { planFile, planItems, type SourcePlan } from './batch-plan.ts'
import { type CheckedBatch, checkedBatch } from './batch-request.ts'

export async function estimate(c: Context<GatewayContext>, body: BatchRequest): Promise<BatchEstimate> {
  const { tenantId } = c.var.principal
  if (!tenantId) throw new Problem('internal')
  const orders = await standingOrders(c)
  const checked = checkedBatch(body, c.var.config.providers, orders.models)
  const { plan, lineErrors, keys } = await planOf(c, tenantId, checked, body)
  const asked = { ...checked, estimateMicroUsd: microUsdOf(plan), keys }
  // Finding the file has been counted as this request already.
  const isCounted = body.items === undefined
  const { reasons } = await c.var.ledger((ledger) => ledger.estimateBatch(asked, isCounted, orders))
  const all = isUnfit(body, plan) ? ['invalid-request', ...reasons] : reasons
  return estimateView(checked.model, plan, lineErrors, all)
}

async function planOf(
  c: Context<GatewayContext>,
  tenantId: string,
  checked: CheckedBatch,
  { items, items_file_id: fileId }: BatchRequest,
): Promise<SourcePlan> {
  if (items) {
    const { plan, lineErrors } = await planItems(c, tenantId, checked, items)
    return { plan, lineErrors, keys: plan.manifest.map(({ key }) => key) }
  }
  const { ref } = await c.var.ledger((ledger) => ledger.batchSource(fileId ?? ''))
  return planFile(c, tenantId, checked, ref)
}

/** Inline items are all right or the request is refused; of a file, that is for the request to say. */
const isUnfit = ({ items, on_invalid }: BatchRequest, plan: PlanSummary) =>
  plan.items === 0 || (plan.invalidItems > 0 && (items !== undefined || on_invalid !== 'skip'))
