/** Planning items in the gateway: those that came inline, and, for an estimate, those of a file. */
import type { Context } from 'hono'
import { sourceLines } from '../../ledger/batches/lines.ts'
import { MAX_ERRORS, type PlanSummary } from '../../ledger/batches/plan.ts'
import { type InlinePlan, type Planning, planInline, planSource } from '../../ledger/batches/planning.ts'
import type { LineError } from '../../ledger/schema.ts'
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

/** What items that came inline come to, and what is wrong with those that are none. */
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

/** What a source would come to. */
export interface SourcePlan {
  readonly plan: PlanSummary
  /** At least as many as an answer lists. */
  readonly lineErrors: readonly LineError[]
  /** Of all items, in input order. */
  readonly keys: readonly string[]
}

/** What a file comes to: of all lines that are items, whatever the others are to mean. Nothing of it is kept but the keys. */
export async function planFile(
  c: Context<GatewayContext>,
  tenantId: string,
  checked: CheckedBatch,
  sourceRef: string,
): Promise<SourcePlan> {
  const object = await c.env.CONTENT.get(sourceRef)
  if (!object) throw new Problem('unavailable')
  const { order, ...rest } = planningFor(c, tenantId, checked)
  const planning = { ...rest, order: { ...order, sourceRef, lines: null, onInvalid: 'skip' as const } }
  const pages = planSource(sourceLines(object.body), planning)
  const lineErrors: LineError[] = []
  const keys: string[] = []
  for (;;) {
    const { done, value } = await pages.next()
    if (done)
      return {
        plan: value,
        lineErrors: [...wholeOf(value), ...lineErrors],
        keys: value.items > 0 ? keys : [],
      }
    if ('faults' in value) lineErrors.push(...value.faults.slice(0, MAX_ERRORS - lineErrors.length))
    else keys.push(...value.items.map(({ key }) => key))
  }
}

/** What is wrong with the whole is told first. */
const wholeOf = ({ whole }: PlanSummary): LineError[] => (whole ? [whole] : [])
