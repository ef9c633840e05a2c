/** What is told of a tenant's work in figures: the snapshot and the days that its ledger left in the directory, and its usage by the API. */
import { type DayUsage, Figures } from '../../ledger/figures.ts'
import type { UsageReport } from '../../openapi/usage.ts'
import type { Caller } from '../support/gateway.ts'
import type { Workerd } from '../support/workerd.ts'
import { inLedger } from './ledgers.ts'

export interface Told {
  /** Null where there is no snapshot. */
  readonly figures: Figures | null
  /** Of all days, by kind and model. */
  readonly days: readonly DayUsage[]
  readonly byKind: UsageReport
  readonly byModel: UsageReport
  /** Attempts at its receiver that are on record, by their outcome. */
  readonly attempts: Readonly<Record<string, number>>
  /** Deliveries that have one on record. */
  readonly attempted: number
}

export async function toldOf(workerd: Workerd, tenantId: string, caller: Caller): Promise<Told> {
  const directory = await workerd.miniflare.getD1Database('DIRECTORY', 'gateway')
  const rowsOf = async (table: string) => {
    const query = directory.prepare(`select figures from ${table} where ledger like ?`)
    const { results } = await query.bind(`${tenantId}:%`).all<{ figures: string }>()
    return results.map(({ figures }) => JSON.parse(figures) as unknown)
  }
  const [snapshot] = await rowsOf('roll_ups')
  return {
    figures: snapshot === undefined ? null : Figures.parse(snapshot),
    days: (await rowsOf('usage_days')).flat() as DayUsage[],
    byKind: await caller.get<UsageReport>('/v1/usage?group_by=kind'),
    byModel: await caller.get<UsageReport>('/v1/usage?group_by=model'),
    attempts: Object.fromEntries(
      (await inLedger<{ outcome: string; n: number }>(workerd, tenantId, ATTEMPTS)).map(({ outcome, n }) => [
        outcome,
        n,
      ]),
    ),
    attempted: (await inLedger<{ n: number }>(workerd, tenantId, ATTEMPTED))[0]?.n ?? 0,
  }
}

const ATTEMPTS = `select coalesce(value ->> '$.error', 'delivered') as outcome, count(*) as n
  from deliveries, json_each(attempts) group by outcome`
const ATTEMPTED = 'select count(*) as n from deliveries where json_array_length(attempts) > 0'
