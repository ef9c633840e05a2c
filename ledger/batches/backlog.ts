/** How many jobs batches may have open: they leave room for the single jobs of their tenant, which are refused when its backlog is full. */
import type { LedgerContext } from '../context.ts'

/** Of the backlog that a plan allows. */
const SHARE = 1 / 2
/** Part of the share that is open at most when more are opened, so that many are opened at once, not one for each that ends. */
const LOW_WATER = 3 / 4
/** How long the Workflow of a batch waits for room: less than what is open lasts. */
export const ROOM_WAIT_MS = 5000

/** How many jobs of items may be opened now. */
export function roomForItems({ plan, openJobs }: Pick<LedgerContext, 'plan' | 'openJobs'>): number {
  const share = Math.max(1, Math.floor(plan.max_backlog * SHARE))
  return openJobs > share * LOW_WATER ? 0 : share - openJobs
}
