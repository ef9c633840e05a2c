/** What a tenant's ledger has told the directory of itself. */
import { Figures, type WorkFigures } from '../../ledger/figures.ts'
import { inDirectory, ledgerOf } from './control.ts'
import { until } from './wait.ts'

export interface Snapshot {
  readonly revision: number
  readonly openJobs: number
  readonly figures: Figures
}

/** The last one; null before the first. */
export async function snapshotOf(tenantId: string): Promise<Snapshot | null> {
  const [row] = await inDirectory<{ revision: number; open_jobs: number; figures: string }>(
    'select revision, open_jobs, figures from roll_ups where ledger = ?',
    ledgerOf(tenantId),
  )
  if (!row) return null
  return { revision: row.revision, openJobs: row.open_jobs, figures: Figures.parse(JSON.parse(row.figures)) }
}

/** The first one of which this holds. */
export const snapshotThat = (what: string, tenantId: string, holds: (figures: Figures) => boolean) =>
  until(`the snapshot says that ${what}`, async () => {
    const snapshot = await snapshotOf(tenantId)
    return snapshot && holds(snapshot.figures) && snapshot
  })

export function workIn({ work }: Figures, kind: string, model: string): WorkFigures {
  const found = work.find((one) => one.kind === kind && one.model === model)
  if (!found) throw new Error(`The figures do not know ${kind} at ${model}.`)
  return found
}

/** How many jobs, and items of batches, have ended. */
export const endedIn = ({ work }: Figures): number =>
  work.reduce((sum, { succeeded, failed, cancelled, items }) => {
    const ended = items.succeeded + items.failed + items.cancelled + items.expired
    return sum + succeeded + failed + cancelled + ended
  }, 0)

export const observations = ({ buckets }: { buckets: readonly number[] }) =>
  buckets.reduce((sum, count) => sum + count, 0)
