/** Planning items in the gateway: those that came inline, and, for an estimate, those of a file. */
import type { Context } from 'hono'
import { sourceLines } from '../../ledger/batches/lines.ts'
import type { PlanSummary } from '../../ledger/batches/plan.ts'
import { type InlinePlan, type Planning, planInline, planSource } from '../../ledger/batches/planning.ts'
import { Problem } from '../problem.ts'
import type { GatewayContext } from '../router.ts'
import type { CheckedBatch } from './batch-request.ts'

const planningFor = (c: Context<GatewayContext>, tenantId: string, checked: CheckedBatch): Planning => ({
  tenantId,
  order: checked,
  findFiles: (ids) => c.var.ledger((ledger) => ledger.findFiles(ids)),
})

export interface ItemsPlan extends InlinePlan {
  /** The items refer to files: whether these are there is a matter of state, not of the request. */
  readonly hasFiles: boolean
}

export async function planItems(
  c: Context<GatewayContext>,
  tenantId: string,
  checked: CheckedBatch,
  items: readonly unknown[],
): Promise<ItemsPlan> {
  const planning = planningFor(c, tenantId, checked)
  let hasFiles = false
  const findFiles: Planning['findFiles'] = (ids) => {
    hasFiles = true
    return planning.findFiles(ids)
  }
  return { ...(await planInline(items, { ...planning, findFiles })), hasFiles }
}

/** What a file comes to: of all lines that are items, whatever the others are to mean. Nothing of it is kept. */
export async function planFile(
  c: Context<GatewayContext>,
  tenantId: string,
  checked: CheckedBatch,
  sourceRef: string,
): Promise<PlanSummary> {
  const object = await c.env.CONTENT.get(sourceRef)
  if (!object) throw new Problem('unavailable')
  const { order, ...rest } = planningFor(c, tenantId, checked)
  const planning = { ...rest, order: { ...order, sourceRef, lines: null, onInvalid: 'skip' as const } }
  const pages = planSource(sourceLines(object.body), planning)
  let step = await pages.next()
  while (!step.done) step = await pages.next()
  return step.value
}
