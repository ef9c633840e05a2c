/** What a report is made of. */
import type { Findings } from '../schema.ts'
import type { ReportedBatch, ReportedChunk } from './report.ts'

export const batch = (rest: Partial<ReportedBatch> = {}): ReportedBatch => ({
  kind: 'summarize',
  modelVersion: '2024-07-18',
  items: 3,
  invalidItems: 0,
  duplicateItems: 0,
  unaffordable: null,
  createdAt: 1000,
  finishedAt: 5000,
  deadlineAt: 9000,
  ...rest,
})

export const nothing: Findings = {
  unknown: 0,
  missing: [],
  duplicate: [],
  empty: [],
  invalid: [],
  unfounded: [],
}

/** A chunk whose items have these states. */
export const chunk = (statuses: string, rest: Partial<ReportedChunk> = {}): ReportedChunk => {
  const count = (status: string) => Array.from(statuses).filter((one) => one === status).length
  return {
    items: statuses.length,
    statuses,
    succeeded: count('s'),
    failed: count('f'),
    cancelled: count('c'),
    expired: count('e'),
    errors: {},
    findings: nothing,
    modelVersion: null,
    ...rest,
  }
}
