/** A reading that finds nothing wrong. */
import type { FiguresReading } from './reading.ts'

export const calm: FiguresReading = {
  oldestWaitingAt: null,
  oldestUnfinishedAt: null,
  pastDeadline: 0,
  batchesStalled: 0,
  models: {},
  webhooks: { attempts: 0, failed: 0 },
}
