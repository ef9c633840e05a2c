import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Findings } from '../schema.ts'
import { batch, chunk, nothing } from './report.fixture.ts'
import { type ReportedBatch, type ReportedChunk, reportChecks } from './report.ts'

const classes = {
  missing: 'missing_result',
  duplicate: 'duplicate_result',
  empty: 'invalid_output',
  invalid: 'invalid_output',
} as const

/** A chunk in which this was found. */
function found(rest: Partial<Findings>, statuses = 'sss'): ReportedChunk {
  const findings = { ...nothing, ...rest }
  const failed = (['missing', 'duplicate', 'empty', 'invalid'] as const).flatMap((name) =>
    findings[name].map(() => classes[name]),
  )
  return chunk(statuses, { findings, errors: { ...failed } })
}

/** What did not pass, as `[name, detail]`. */
const failed = (of: ReportedBatch, chunks: readonly ReportedChunk[]) =>
  reportChecks(of, chunks)
    .filter(({ passed }) => !passed)
    .map(({ name, detail }) => [name, detail])

describe('the report of a batch', () => {
  it('has every check, and no word on those that passed', () => {
    const checks = reportChecks(batch(), [chunk('ss'), chunk('f')])

    expect(checks.map(({ name }) => name)).toEqual([
      'counts_add_up',
      'references_known',
      'references_complete',
      'references_unique',
      'outputs_present',
      'outputs_valid',
      'summaries_founded',
      'model_version',
      'lines_valid',
      'items_not_open_elsewhere',
      'within_budget',
      'in_time',
    ])
    for (const { passed, detail } of checks) expect([passed, detail]).toEqual([true, null])
  })

  it('has no check of summaries where there are none', () => {
    const names = reportChecks(batch({ kind: 'embed' }), [chunk('sss')]).map(({ name }) => name)

    expect(names).not.toContain('summaries_founded')
  })

  it.each<[string, ReportedBatch, ReportedChunk[], string, string]>([
    ['items that no chunk has', batch(), [chunk('ss')], 'counts_add_up', '2 of 3 items have ended.'],
    ['items still pending', batch(), [chunk('sps')], 'counts_add_up', '2 of 3 items have ended.'],
    [
      'counters that say otherwise than the states',
      batch(),
      [chunk('ssf', { succeeded: 3, failed: 0 })],
      'counts_add_up',
      'Chunks whose counters and items disagree: 1.',
    ],
    [
      'foreign results',
      batch(),
      [found({ unknown: 2 })],
      'references_known',
      '2 results belong to no item of their chunk.',
    ],
    [
      'a missing result',
      batch(),
      [found({ missing: ['a'] })],
      'references_complete',
      '1 item without a result: a.',
    ],
    [
      'results that come twice, of several chunks',
      batch({ items: 6 }),
      [found({ duplicate: ['a', 'b'] }), found({ duplicate: ['c'] })],
      'references_unique',
      '3 items with more than one result: a, b, c.',
    ],
    [
      'empty outputs, the first of them by name',
      batch(),
      [found({ empty: ['a', 'b', 'c', 'd', 'e', 'f'] })],
      'outputs_present',
      '6 items with an empty output: a, b, c, d, e and others.',
    ],
    [
      'outputs that are none',
      batch(),
      [found({ invalid: ['a'] })],
      'outputs_valid',
      '1 item with an output that breaks the contract of the kind: a.',
    ],
    [
      'items of a chunk whose answer was none as a whole, by their number',
      batch(),
      [chunk('fff', { findings: null, errors: { ...Array(3).fill('invalid_output') } })],
      'outputs_valid',
      '3 items with an output that breaks the contract of the kind.',
    ],
    [
      'items of which some are known by name',
      batch(),
      [found({ invalid: ['a'] }, 'ss'), chunk('f', { findings: null, errors: { 0: 'invalid_output' } })],
      'outputs_valid',
      '2 items with an output that breaks the contract of the kind: a and others.',
    ],
    [
      'summaries that say more than their input',
      batch(),
      [found({ unfounded: ['a'] })],
      'summaries_founded',
      '1 item with numbers or names that the input does not hold: a.',
    ],
    [
      'answers of two versions',
      batch({ items: 6 }),
      [chunk('sss', { modelVersion: 'm-2' }), chunk('sss', { modelVersion: 'm-1' })],
      'model_version',
      'Asked for 2024-07-18, answered by m-2, m-1.',
    ],
    [
      'answers of the version of another day',
      batch(),
      [chunk('sss', { modelVersion: 'gpt-4o-mini-2025-04-14' })],
      'model_version',
      'Asked for 2024-07-18, answered by gpt-4o-mini-2025-04-14.',
    ],
    [
      'lines that are no items',
      batch({ invalidItems: 2 }),
      [chunk('sss')],
      'lines_valid',
      '2 lines of the source are no items.',
    ],
    [
      'items that were open elsewhere',
      batch({ duplicateItems: 150 }),
      [chunk('sss')],
      'items_not_open_elsewhere',
      '150 items were open in another batch.',
    ],
    [
      'a price above its ceiling',
      batch({ unaffordable: 'max_cost' }),
      [chunk('sss')],
      'within_budget',
      'The estimated cost of the batch is above max_cost_usd.',
    ],
    [
      'a price above what is left',
      batch({ unaffordable: 'budget' }),
      [chunk('sss')],
      'within_budget',
      "The estimate does not fit into what is left of the tenant's budget.",
    ],
    [
      'an end after the deadline',
      batch({ finishedAt: 9001 }),
      [chunk('sss')],
      'in_time',
      'Not finished before the deadline.',
    ],
    ['items that expired', batch(), [chunk('see')], 'in_time', '2 items did not finish before the deadline.'],
  ])('tells of %s', (_, of, chunks, name, detail) => {
    expect(failed(of, chunks)).toEqual([[name, detail]])
  })

  it.each([
    ['gpt-4o-mini-2024-07-18', '2024-07-18'],
    ['gpt-4o-mini-20240718', '2024-07-18'],
    ['text-embedding-3-small', '1'],
    ['text-embedding-3-small', '2024-07-18'],
    ['gpt-4o-mini-2024-07-18', '1'],
    ['1', '1'],
  ])('takes the version %s for that of %s', (modelVersion, asked) => {
    expect(failed(batch({ modelVersion: asked }), [chunk('sss', { modelVersion })])).toEqual([])
  })

  it('takes what finished at its deadline for in time', () => {
    expect(failed(batch({ finishedAt: 9000 }), [chunk('sss')])).toEqual([])
  })

  it('of a batch that never ran is about its lines alone', () => {
    expect(failed(batch({ items: 0, invalidItems: 1 }), [])).toEqual([
      ['lines_valid', '1 line of the source is no item.'],
    ])
  })

  it('passes counts only where every item has one end', () => {
    const states = fc.array(fc.constantFrom('s', 'f', 'c', 'e', 'p'), { minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(fc.array(states, { minLength: 1, maxLength: 4 }), (all) => {
        const chunks = all.map((statuses) => chunk(statuses.join('')))
        const [counts] = reportChecks(batch({ items: all.flat().length }), chunks)

        expect(counts?.passed).toBe(!all.flat().includes('p'))
      }),
    )
  })
})
