import { describe, expect, it } from 'vitest'
import { MAX_ITEMS, PAGE_ITEMS } from './plan.ts'
import { item, lineOf, plan } from './planning.fixture.ts'

describe('the plan of a source', () => {
  it('is of 50,000 lines, and of no more, whatever they are', async () => {
    const { summary, faults } = await plan('{\n'.repeat(MAX_ITEMS))
    expect(summary).toEqual({ items: 0, chunks: [], invalidItems: MAX_ITEMS })
    expect(faults.at(-1)?.detail).toBe('Not JSON.')

    const more = await plan('{\n'.repeat(MAX_ITEMS + 1))
    expect(more.summary.invalidItems).toBe(MAX_ITEMS + 1)
  })

  it('hands on no page of a manifest once a line is no item and the batch is to fail of that', async () => {
    const lines = Array.from({ length: PAGE_ITEMS + 1 }, (_, at) => lineOf(item(`r${at}`)))
    const source = `{\n${lines.join('')}`

    expect((await plan(source)).pages).toEqual([])
    expect((await plan(source, { onInvalid: 'skip' })).pages).toHaveLength(2)
  })
})
