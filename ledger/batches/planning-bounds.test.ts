import { describe, expect, it } from 'vitest'
import { sourceLines } from './lines.ts'
import { FAULTS_PAGE, MAX_ITEMS, PAGE_ITEMS } from './plan.ts'
import { planning as asked, item, lineOf, order, plan } from './planning.fixture.ts'
import { planInline, planSource } from './planning.ts'

const planning = { ...asked, order }

describe('the plan of a source', () => {
  const lines = Array.from({ length: MAX_ITEMS + 1 }, (_, at) => lineOf(item(`r${at}`)))

  it('is of 50,000 items, whatever lines are between them, and of no more', async () => {
    const skip = { onInvalid: 'skip' } as const
    const most = await plan(`${'{\n'.repeat(10)}${lines.slice(0, MAX_ITEMS).join('')}`, skip)
    expect(most.summary).toMatchObject({ items: MAX_ITEMS, invalidItems: 10 })

    const more = await plan(lines.join(''), skip)
    expect(more.summary).toMatchObject({
      items: 0,
      chunks: [],
      invalidItems: 1,
      whole: { line: 0, class: 'invalid_input', detail: 'More than 50000 items.' },
    })
  })

  it('is of 50,000 lines that are no items, and of no more', async () => {
    const { summary, faults } = await plan('{\n'.repeat(MAX_ITEMS))
    expect(summary).toEqual({ items: 0, chunks: [], invalidItems: MAX_ITEMS })
    expect(faults.at(-1)?.detail).toBe('Not JSON.')

    const more = await plan('{\n'.repeat(MAX_ITEMS + 1))
    expect(more.summary).toMatchObject({
      items: 0,
      whole: { line: 0, detail: 'More than 50000 lines that are no items.' },
    })
  })

  it('hands on no page of a manifest once a line is no item and the batch is to fail of that', async () => {
    const lines = Array.from({ length: PAGE_ITEMS + 1 }, (_, at) => lineOf(item(`r${at}`)))
    const source = `{\n${lines.join('')}`

    expect((await plan(source)).pages).toEqual([])
    expect((await plan(source, { onInvalid: 'skip' })).pages).toHaveLength(2)
  })

  it('hands on what is wrong with lines before it has read them all', async () => {
    let read = 0
    async function* source() {
      for (; read < 3 * FAULTS_PAGE; read += FAULTS_PAGE)
        yield new TextEncoder().encode('{\n'.repeat(FAULTS_PAGE))
    }

    const first = await planSource(sourceLines(source()), planning).next()

    expect(first.value).toMatchObject({ page: 0, faults: { length: FAULTS_PAGE } })
    expect(read).toBeLessThan(2 * FAULTS_PAGE)
  })

  it('names the item whose file is not there', async () => {
    const { faults } = await plan(lineOf(item('r0', { input: { file_id: 'file_9' } })))

    expect(faults).toMatchObject([{ line: 1, external_reference: 'r0' }])
  })

  it('runs an item as a job whose vectors are too many as they were asked for', async () => {
    const source = lineOf(item('r0', { input: { texts: Array(11).fill('a') } }))
    const embed = { kind: 'embed', model: 'embedded/hash-1' } as const
    const [few, many] = [
      await plan(source, embed),
      await plan(source, { ...embed, params: '{"dimensions":4096}' }),
    ]

    expect([few, many].map(({ summary }) => summary.chunks[0]?.path)).toEqual(['batch', 'jobs'])
  })
})

describe('the plan of items that came inline', () => {
  it('names the files that they need once, over all pages', async () => {
    const file = { input: { file_id: 'file_1' } }
    const items = Array.from({ length: PAGE_ITEMS + 1 }, (_, at) => item(`r${at}`, file))

    expect((await planInline(items, planning)).fileIds).toEqual(['file_1'])
  })
})
