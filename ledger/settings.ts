/** The ledger's timing, from the gateway's variables. Parsed once per object; a wrong value stops it loudly. */
import { z } from '@hono/zod-openapi'
import { type Configured, providerNames } from '../catalog/models.ts'
import type { Backoff } from './judge.ts'

const count = z
  .string()
  .regex(/^[1-9][0-9]{0,8}$/)
  .transform(Number)

/** The providers that the deployment has what it takes to call: their names, with commas between. */
export const ProvidersVariable = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(providerNames)).min(1))
  .transform((names): Configured => new Set(names))

/** A variable whose value is JSON. */
export const jsonVariable = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, ctx) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        ctx.addIssue({ code: 'custom', message: 'Not JSON.' })
        return z.NEVER
      }
    })
    .pipe(schema)

/** A sign of life of a Workflow is worth a row when less than this part of its grace is left, so no more than this is sure. */
export const GRACE_LEFT = 0.75

const Variables = z.object({
  PUBLIC_BASE_URL: z.url(),
  LEASE_SECONDS: count,
  RETRY_BASE_MS: count,
  RETRY_CAP_MS: count,
  SWEEP_SECONDS: count,
  ROLL_UP_SECONDS: count,
  BATCH_POLL_MS: count,
  BATCH_POLL_CAP_MS: count,
  BATCH_STALLED_SECONDS: count,
  BATCH_GRACE_SECONDS: count,
  RUN_TIMEOUT_SECONDS: count,
  DELETION_GRACE_SECONDS: count,
  DELETION_QUIET_SECONDS: count,
  PROVIDERS: ProvidersVariable,
  ORDERS_SECONDS: count,
})

/** Between two signs of life a Workflow waits for a provider, once: were it replaced meanwhile, two would ask for the same. */
const Timed = Variables.refine((vars) => vars.BATCH_GRACE_SECONDS * GRACE_LEFT > vars.RUN_TIMEOUT_SECONDS, {
  path: ['BATCH_GRACE_SECONDS'],
}).refine((vars) => vars.DELETION_QUIET_SECONDS > vars.DELETION_GRACE_SECONDS, {
  path: ['DELETION_QUIET_SECONDS'],
})

/** From when a tenant's deletion began. */
export interface DeletionTimes {
  /** Until then attempts that were out may come back; what the tenant has is deleted after it. */
  readonly graceMs: number
  /** Until then somebody may still write for the tenant; its ID is free after it. */
  readonly quietMs: number
}

export interface LedgerSettings {
  readonly baseUrl: string
  readonly leaseMs: number
  readonly backoff: Backoff
  /** How long a dispatch may stay unclaimed before it is sent again; doubles with each time. */
  readonly sweepMs: number
  /** Between two snapshots for the directory, while the ledger is active. */
  readonly rollUpMs: number
  /** Between two looks at what a provider makes of a chunk: the first, and the longest. */
  readonly batchPoll: Backoff
  /** How long a chunk may wait at its provider before operators are told. */
  readonly batchStalledMs: number
  /** How long a batch's Workflow may be silent beyond what it announced before another takes its place. */
  readonly batchGraceMs: number
  readonly deletion: DeletionTimes
  readonly providers: Configured
  /** At most so often the ledger reads what operators have decided. */
  readonly listenMs: number
}

export function ledgerSettings(env: object): LedgerSettings {
  const vars = parseVariables(Timed, env)
  return {
    baseUrl: vars.PUBLIC_BASE_URL,
    leaseMs: vars.LEASE_SECONDS * 1000,
    backoff: { baseMs: vars.RETRY_BASE_MS, capMs: vars.RETRY_CAP_MS },
    sweepMs: vars.SWEEP_SECONDS * 1000,
    rollUpMs: vars.ROLL_UP_SECONDS * 1000,
    batchPoll: { baseMs: vars.BATCH_POLL_MS, capMs: vars.BATCH_POLL_CAP_MS },
    batchStalledMs: vars.BATCH_STALLED_SECONDS * 1000,
    batchGraceMs: vars.BATCH_GRACE_SECONDS * 1000,
    deletion: {
      graceMs: vars.DELETION_GRACE_SECONDS * 1000,
      quietMs: vars.DELETION_QUIET_SECONDS * 1000,
    },
    providers: vars.PROVIDERS,
    listenMs: vars.ORDERS_SECONDS * 1000,
  }
}

/** Parses a Worker's variables; the fault names the wrong ones, never their values, which can be secrets. */
export function parseVariables<T extends z.ZodType>(schema: T, env: object): z.output<T> {
  const parsed = schema.safeParse(env)
  if (parsed.success) return parsed.data
  const names = [...new Set(parsed.error.issues.map(({ path }) => String(path[0])))].join(', ')
  const fault = new Error(`These variables or secrets are missing or wrong: ${names}.`)
  fault.name = `WrongVariables(${names})`
  throw fault
}
