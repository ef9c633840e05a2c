/** The batches of a run, and what their customers do with them: cancel, repeat, rerun, discard, lose the connection. */
import { type BatchSort, type Item, itemsOf, sortOf } from './batch-orders.ts'
import { MARKER, textOf } from './bodies.ts'
import type { Chance } from './chance.ts'
import { type TenantPlan, tenantPlans } from './tenants.ts'

export interface PlannedBatch {
  readonly tenant: TenantPlan
  readonly key: string
  /** Without its items. */
  readonly order: object
  readonly items: readonly Item[]
  /** Its items come as a file, with these lines beside them, which are none. */
  readonly badLines: readonly string[] | null
  /** Uploaded first, in the place of the last item's text. */
  readonly lastText: string | null
  readonly breaksAfterMs: number | null
  readonly repeated: boolean
  readonly cancelAfterMs: number | null
  /** When it has ended. */
  readonly afterwards: 'rerun' | 'discard' | null
}

const JOBS_PER_BATCH = 25
const MOST_ITEMS = 30
/** Items that run singly take the places of their tenant's jobs: only where there are many. */
const ROOMY = 30

export const planBatches = (jobs: number, chance: Chance): PlannedBatch[] =>
  Array.from({ length: Math.ceil(jobs / JOBS_PER_BATCH) }, (_, at) =>
    planBatch(`batch-${at}`, sortOf(at), chance),
  )

function planBatch(key: string, sort: BatchSort, chance: Chance): PlannedBatch {
  const fromFile = chance.happens(0.5)
  const badLines = Array.from({ length: chance.between(1, 3) }, () => `${MARKER} is no JSON`)
  return {
    tenant: chance.pick(tenantPlans.filter(hasRoom)),
    key,
    order: orderFor(sort, chance),
    items: itemsOf(key, chance.between(1, MOST_ITEMS), sort, chance),
    badLines: fromFile ? (chance.happens(0.3) ? badLines : []) : null,
    lastText: chance.happens(0.2) ? textOf(300, chance) : null,
    breaksAfterMs: chance.happens(0.1) ? chance.between(0, 20) : null,
    repeated: chance.happens(0.1),
    cancelAfterMs: sort.cancelled || chance.happens(0.1) ? chance.between(0, 3000) : null,
    afterwards: chance.happens(0.4) ? 'rerun' : chance.happens(0.25) ? 'discard' : null,
  }
}

const hasRoom = ({ limits }: TenantPlan) =>
  Number(limits.max_running) >= ROOMY && limits.jobs_per_minute === undefined

const orderFor = ({ model, deadlineSeconds, onDeadline }: BatchSort, chance: Chance) => ({
  kind: 'summarize',
  ...(model && { model }),
  ...(deadlineSeconds && { deadline_seconds: deadlineSeconds }),
  ...(onDeadline && { on_deadline: onDeadline }),
  on_invalid: chance.pick(['fail', 'skip', 'skip']),
})
