import { describe, expect, it } from 'vitest'
import { item, itemsOf, lineOf, plan, planning } from './planning.fixture.ts'
import { planInline } from './planning.ts'

describe('the plan of items that came inline', () => {
  it('is that of a file that holds them', async () => {
    const items = [
      item('a', { input: { text: 'é 漢 \u2028' } }),
      item('b', { confidentiality: 'public' }),
      item('c'),
    ]

    const { plan: inline, ndjson, errors, fileIds } = await planInline(items, planning)

    const planned = await plan(ndjson)
    expect(ndjson).toBe(items.map(lineOf).join(''))
    expect([errors, fileIds]).toEqual([[], []])
    expect(inline).toEqual({ ...planned.summary, manifest: itemsOf(planned) })
    expect(inline.items).toBe(3)
  })

  it('tells each fault of each item by its place in the request, and has the others', async () => {
    const items = [
      item('a'),
      null,
      item('b', { input: { text: '' }, confidentiality: 'secret' }),
      item('a'),
      item('c', { input: { file_id: 'file_9' } }),
      item('d', { input: { file_id: 'file_3' } }),
    ]

    const { plan: inline, errors, fileIds } = await planInline(items, planning)

    expect(errors).toEqual([
      { pointer: '/items/1', detail: 'Must be of type object.' },
      { pointer: '/items/2/input/text', detail: 'Must not be empty.' },
      {
        pointer: '/items/2/confidentiality',
        detail: 'Must be one of: public, internal, confidential, restricted.',
      },
      { pointer: '/items/3/external_reference', detail: 'The same in /items/0 and /items/3.' },
      { pointer: '/items/4/input/file_id', detail: 'There is no such file.' },
    ])
    expect(inline).toMatchObject({ items: 2, invalidItems: 4 })
    expect(inline.manifest.map(({ reference }) => reference)).toEqual(['a', 'd'])
    expect(fileIds).toEqual(['file_3'])
  })

  it('tells each fault as one of its line, too', async () => {
    const { errors, lineErrors, plan: inline } = await planInline(new Array(300).fill(1), planning)

    expect([errors.length, inline.invalidItems, lineErrors.length]).toEqual([300, 300, 300])
  })
})
