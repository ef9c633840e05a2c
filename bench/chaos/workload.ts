/** The jobs of a run, and what their customers do with them: cancel, delete, repeat, lose the connection. */
import { bodyOf, type Models, textOf } from './bodies.ts'
import { certainJobs, WHOLE_RUN_JOBS } from './certain.ts'
import type { Chance } from './chance.ts'
import { type TenantPlan, tenantPlans } from './tenants.ts'

/** Uploaded first; the job's input names it. */
export interface PlannedFile {
  readonly text: string
  /** Its object in R2 is removed behind everybody's back before the job is submitted. */
  readonly loses: boolean
}

export interface PlannedJob {
  readonly tenant: TenantPlan
  readonly key: string
  /** Without an input where that is a file. */
  readonly body: object
  readonly file: PlannedFile | null
  /** The connection breaks this long after the request was sent, and the customer asks again under the same key. */
  readonly breaksAfterMs: number | null
  /** Sent once more after it was accepted, under the same key. */
  readonly repeated: boolean
  readonly cancelAfterMs: number | null
  readonly deleteAfterMs: number | null
}

const models: Models = {
  '': 50,
  openai: 14,
  'test/flaky': 12,
  'test/priced': 10,
  'test/permission-denied': 4,
  'test/content-filtered': 4,
  'test/invalid-output': 4,
  'test/rate-limited': 3,
  'test/unavailable': 3,
  'test/slow': 0.4,
  'test/hangs': 0.1,
}
/** Of tenants with a budget: mostly what costs something, and what is paid for twice. */
const paidModels: Models = { '': 40, openai: 30, 'test/priced': 30 }
/** Its first answer is of no use, and costs as much as the second. */
const PAID_TWICE = ' fault:no-json:once'

export function planJobs(count: number, chance: Chance): PlannedJob[] {
  const jobs = Array.from({ length: count }, (_, at) => planJob(at, tenantFor(chance), chance))
  if (count < WHOLE_RUN_JOBS) return jobs
  const certain = certainJobs(chance)
  const every = Math.floor(count / certain.length)
  const rich = tenantPlans.filter(({ limits }) => limits.monthly_budget_usd === undefined)
  for (const [nth, { body, file }] of certain.entries())
    jobs[nth * every] = {
      ...undisturbed,
      key: `chaos-${nth * every}`,
      tenant: chance.pick(rich),
      body,
      file,
    }
  return jobs
}

const undisturbed = { breaksAfterMs: null, repeated: false, cancelAfterMs: null, deleteAfterMs: null }

const shares = Object.fromEntries(tenantPlans.map(({ id, share }) => [id, share]))
const tenantFor = (chance: Chance): TenantPlan => {
  const chosen = chance.weighed(shares)
  return tenantPlans.find(({ id }) => id === chosen) ?? chance.pick(tenantPlans)
}

const planJob = (at: number, tenant: TenantPlan, chance: Chance): PlannedJob => ({
  tenant,
  key: `chaos-${at}`,
  ...contentOf(at, tenant, chance),
  breaksAfterMs: chance.happens(0.06) ? chance.between(0, 12) : null,
  repeated: chance.happens(0.05),
  cancelAfterMs: chance.happens(0.05) ? chance.between(0, 2500) : null,
  deleteAfterMs: chance.happens(0.04) ? chance.between(0, 4000) : null,
})

function contentOf(at: number, { limits }: TenantPlan, chance: Chance): Pick<PlannedJob, 'body' | 'file'> {
  const metadata = { number: String(at) }
  if (chance.happens(0.04))
    return {
      body: { kind: 'summarize', metadata },
      file: { text: textOf(chance.pick([300, 40_000]), chance), loses: false },
    }
  const paid = limits.monthly_budget_usd !== undefined
  if (paid && chance.happens(0.2)) {
    const input = { text: textOf(300, chance) + PAID_TWICE }
    return { body: { kind: 'summarize', model: 'openai/gpt-4o-mini', input, metadata }, file: null }
  }
  return { body: { ...bodyOf(paid ? paidModels : models, chance), metadata }, file: null }
}
