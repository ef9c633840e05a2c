/** A tenant's plan, made of the limits that were named for it. Pure. */
import type { FieldError } from '../openapi/common.ts'
import { Plan, type PlanInput } from '../openapi/plan.ts'

/** A part is never more than its whole: a limit of it that is above the whole's could not be reached. */
const parts = [
  {
    part: 'max_running',
    whole: 'max_backlog',
    why: '`max_running` may not be above `max_backlog`, which counts what runs as well.',
  },
] as const

/** The plan as it holds. A limit that was not named has its default, or less where another that was named leaves no room for it. */
export function planOf(named: PlanInput): Plan {
  const plan = Plan.parse(named)
  for (const { part, whole } of parts)
    if (named[part] === undefined) plan[part] = Math.min(plan[part], plan[whole])
  return plan
}

/** Where limits that were named contradict each other, as `request` named some of them; empty for a plan that can hold. */
export function contradictions(named: PlanInput, request: PlanInput): FieldError[] {
  const plan = planOf(named)
  return parts
    .filter(({ part, whole }) => plan[part] > plan[whole])
    .map(({ part, whole, why }) => ({
      pointer: `/limits/${request[part] === undefined ? whole : part}`,
      detail: why,
    }))
}
