import { describe, expect, it } from 'vitest'
import type { ReportMaterial } from '../../ledger/batches/snapshots.ts'
import { reportView } from './batch-report.ts'

const batch = {
  ...{ id: 'batch_1', kind: 'summarize', modelVersion: '1', createdAt: 1000, deadlineAt: 9000 },
  ...{ invalidItems: 12_000, duplicateItems: 0, unaffordable: null },
}
const fault = { line: 1, external_reference: null, class: 'invalid_input', detail: 'Not JSON.' }

const shown = (status: string, finishedAt: number | null) =>
  reportView({
    batch: { ...batch, status, finishedAt },
    ...{ items: 0, chunks: [], errorClasses: {}, lineErrors: [fault] },
  } as unknown as ReportMaterial)

describe('the report of a batch', () => {
  it('has checks once the batch has ended', () => {
    expect(shown('processing', null)).toMatchObject({ checks: [], duration_ms: null })
    expect(shown('failed', 5000).checks.map(({ name }) => name)).toContain('counts_add_up')
  })

  it('counts all errors, those that it does not show too', () => {
    expect(shown('failed', 5000)).toMatchObject({ errors: [fault], error_count: 12_000, duration_ms: 4000 })
  })
})
