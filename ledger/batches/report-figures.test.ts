import { describe, expect, it } from 'vitest'
import { batch, chunk } from './report.fixture.ts'
import { durationMs, errorClasses, errorCount, modelVersions } from './report.ts'

describe('beside its checks, a report', () => {
  it('counts failed items by class', () => {
    const chunks = [
      chunk('fsf', { errors: { 0: 'timeout', 2: 'missing_result' } }),
      chunk('f', { errors: { 0: 'timeout' } }),
    ]

    expect(errorClasses(chunks)).toEqual({ timeout: 2, missing_result: 1 })
    expect(errorClasses([])).toEqual({})
  })

  it('has the versions that answered, each once', () => {
    const versions = ['b', null, 'a', 'b'].map((modelVersion) => chunk('s', { modelVersion }))

    expect(modelVersions(versions)).toEqual(['b', 'a'])
  })

  it('counts all that kept lines, items or the whole from running', () => {
    expect(errorCount(batch())).toBe(0)
    expect(errorCount(batch({ invalidItems: 1, duplicateItems: 150, unaffordable: 'budget' }))).toBe(152)
  })

  it('has how long it took, once it is known', () => {
    expect([durationMs(batch()), durationMs(batch({ finishedAt: null }))]).toEqual([4000, null])
  })
})
