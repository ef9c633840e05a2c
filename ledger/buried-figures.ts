/** What a ledger's figures come to when it ends. Pure: counters stay and nothing stands any more, so that sums over all ledgers never fall. */
import type { Figures, Gauges, WorkFigures } from './figures.ts'

/** What the names begin with under which figures lie that are nobody's any more. */
export const BURIED = 'deleted:'

export const atRest: Gauges = {
  waiting: 0,
  running: 0,
  oldestWaitingAt: null,
  oldestUnfinishedAt: null,
  pastDeadline: 0,
  batchesOpen: 0,
  batchesStalled: 0,
}

/** What had not ended was accepted all the same: it counts as cancelled. */
const ended = (work: WorkFigures): WorkFigures => ({
  ...work,
  open: 0,
  cancelled: work.cancelled + work.open,
})

export const buriedFigures = ({ work, ...figures }: Figures): Figures => ({
  ...figures,
  work: work.map(ended),
  now: atRest,
})
