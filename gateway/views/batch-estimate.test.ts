import { describe, expect, it } from 'vitest'
import type { LineError } from '../../ledger/schema.ts'
import { estimateView } from './batch-estimate.ts'

const faults = Array.from(
  { length: 101 },
  (_, at): LineError => ({
    ...{ line: at + 1, external_reference: null, class: 'invalid_input', detail: 'Not JSON.' },
  }),
)

const shown = (reasons: string[], lineErrors: LineError[] = [], invalidItems = 0) =>
  estimateView('embedded/hash-1', { items: 0, chunks: [], invalidItems }, lineErrors, reasons)

describe('an estimate of a batch', () => {
  it('would be accepted where nothing speaks against it', () => {
    expect(shown([]).would_be_accepted).toBe(true)
    expect(shown(['backlog-full'])).toMatchObject({ would_be_accepted: false, reasons: ['backlog-full'] })
  })

  it('shows the first hundred lines at fault, and counts all', () => {
    const view = shown([], faults, 12_000)

    expect([view.errors.length, view.error_count]).toEqual([100, 12_000])
  })
})
