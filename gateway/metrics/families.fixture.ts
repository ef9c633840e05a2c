/** What is collected where nothing has happened yet. */
import type { Collected } from './families.ts'

export const nothing: Collected = {
  models: [],
  sums: [],
  deadLetters: { totals: [], open: 0, oldestOpenAt: null },
  queues: [],
  silentQueues: 0,
  backlogs: [],
  oldestSnapshotAt: null,
}
