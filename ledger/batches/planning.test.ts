import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LineError, Run } from '../schema.ts'
import { sourceLines } from './lines.ts'
import { MAX_ITEMS, PAGE_ITEMS, type PlanSummary } from './plan.ts'
import { type PlannedPage, type Planning, planInline, planSource } from './planning.ts'
import type { PlanOrder } from './protocol.ts'

const order: PlanOrder = {
  kind: 'summarize',
  model: 'embedded/extract-1',
  modelVersion: '1',
  processingVersion: '1',
  confidentiality: 'internal',
  retentionSeconds: 60,
  params: null,
  onInvalid: 'fail',
  sourceRef: 't/acme/file/1/f',
  lines: null,
}

const file = (id: string) => ({ id, ref: `t/acme/file/1/${id}`, contentType: 'text/plain', bytes: 300 })
const known = ['file_1', 'file_2', 'file_3']

const planning: Planning = {
  tenantId: 'acme',
  order,
  findFiles: async (ids) => ids.filter((id) => known.includes(id)).map(file),
}

const item = (reference: string, rest: object = {}) => ({
  external_reference: reference,
  input: { text: `Item ${reference}.` },
  ...rest,
})
const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`

async function* chunksOf(source: string, size = 1000) {
  const bytes = new TextEncoder().encode(source)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

interface Planned {
  readonly pages: PlannedPage[]
  readonly faults: LineError[]
  readonly summary: PlanSummary
}

async function plan(source: string, asked: Partial<PlanOrder> = {}): Promise<Planned> {
  const planned = planSource(sourceLines(chunksOf(source)), { ...planning, order: { ...order, ...asked } })
  const pages: PlannedPage[] = []
  const faults: LineError[] = []
  for (;;) {
    const { done, value } = await planned.next()
    if (done) return { pages, faults, summary: value }
    if ('faults' in value) faults.push(...value.faults)
    else pages.push(value)
  }
}

const itemsOf = ({ pages }: Planned) => pages.flatMap(({ items }) => items)
const referencesOf = (planned: Planned) => itemsOf(planned).map(({ reference }) => reference)

describe('the plan of a source', () => {
  it('has every item in its manifest, with its place, and in a chunk', async () => {
    const source = `\n${lineOf(item('a', { input: { text: 'ü 漢 𠮷' } }))}${lineOf(item('b', { retention_seconds: 0 }))}\r\n${lineOf(item('c'))}`

    const planned = await plan(source)

    const bytes = new TextEncoder().encode(source)
    const read = itemsOf(planned).map(({ at, bytes: length }) =>
      JSON.parse(new TextDecoder().decode(bytes.subarray(at, at + length))),
    )
    expect(read.map((one) => one.external_reference)).toEqual(['a', 'b', 'c'])
    expect(itemsOf(planned)).toEqual([
      expect.objectContaining({ line: 2, reference: 'a', chunk: 0, at: 1 }),
      expect.objectContaining({ line: 3, reference: 'b', chunk: 1 }),
      expect.objectContaining({ line: 5, reference: 'c', chunk: 0 }),
    ])
    for (const { key, inputSha256 } of itemsOf(planned)) {
      expect(key).toMatch(/^[0-9a-f]{32}$/)
      expect(inputSha256).toMatch(/^[0-9a-f]{64}$/)
    }
    expect(planned.summary).toMatchObject({ items: 3, invalidItems: 0 })
    expect(planned.summary.chunks.map(({ runs }) => runs)).toEqual([
      [
        [0, 1],
        [2, 1],
      ],
      [[1, 1]],
    ])
  })

  it('comes in pages', async () => {
    const count = 2 * PAGE_ITEMS + 1
    const planned = await plan(Array.from({ length: count }, (_, at) => lineOf(item(`i${at}`))).join(''))

    expect(planned.pages.map(({ page, items }) => [page, items.length])).toEqual([
      [0, PAGE_ITEMS],
      [1, PAGE_ITEMS],
      [2, 1],
    ])
    expect(referencesOf(planned)).toEqual(Array.from({ length: count }, (_, at) => `i${at}`))
  })

  it('is none where one line is no item, each of which is told', async () => {
    const { pages, faults, summary } = await plan(
      `${lineOf(item('a'))}{\n${lineOf(item('b', { input: { text: '' } }))}${lineOf(item('c'))}`,
    )

    expect(pages).toEqual([])
    expect(summary).toEqual({ items: 0, chunks: [], invalidItems: 2 })
    expect(faults).toEqual([
      { line: 2, external_reference: null, class: 'invalid_input', detail: 'Not JSON.' },
      { line: 3, external_reference: 'b', class: 'invalid_input', detail: '/input/text: Must not be empty.' },
    ])
  })

  it('goes without the lines that are no items where they may be skipped', async () => {
    const planned = await plan(`{\n${lineOf(item('a'))}x\n${lineOf(item('b'))}`, { onInvalid: 'skip' })

    expect(referencesOf(planned)).toEqual(['a', 'b'])
    expect(planned.summary).toMatchObject({
      items: 2,
      invalidItems: 2,
      chunks: [{ items: 2, runs: [[0, 2]] }],
    })
  })

  it('takes a reference once, whatever else is wrong with either line, and tells both places', async () => {
    const source = [item('a'), item('b', { input: {} }), item('a'), item('b'), item('a', { input: {} })]

    const planned = await plan(source.map(lineOf).join(''), { onInvalid: 'skip' })

    expect(referencesOf(planned)).toEqual(['a'])
    expect(planned.faults.map(({ line, detail }) => [line, detail])).toEqual([
      [2, '/input/text: Required.'],
      [3, '/external_reference: The same in line 1 and line 3.'],
      [4, '/external_reference: The same in line 2 and line 4.'],
      [5, '/input/text: Required. /external_reference: The same in line 1 and line 5.'],
    ])
  })

  it.each(['', '\n\r\n', '\uFEFF'])(
    'of the empty source %j is none, even where lines may be skipped',
    async (source) => {
      const { pages, faults, summary } = await plan(source, { onInvalid: 'skip' })

      expect(pages).toEqual([])
      expect(summary).toMatchObject({ items: 0, invalidItems: 1 })
      expect(faults).toEqual([
        { line: 1, external_reference: null, class: 'invalid_input', detail: 'Holds no items.' },
      ])
    },
  )

  it('tells faults in the order of the lines, whatever they are', async () => {
    const items = [
      item('a', { input: { file_id: 'file_9' } }),
      1,
      item('b', { input: { file_id: 'file_9' } }),
      2,
    ]

    const { faults } = await plan(items.map(lineOf).join(''))

    expect(faults.map(({ line }) => line)).toEqual([1, 2, 3, 4])
  })

  it('has so many items at most, and reads no further', async () => {
    let read = 0
    async function* source() {
      for (;;) {
        read += 1000
        yield new TextEncoder().encode('{\n'.repeat(1000))
      }
    }
    const planned = planSource(sourceLines(source()), { ...planning, order: { ...order, onInvalid: 'skip' } })

    let step = await planned.next()
    while (!step.done) step = await planned.next()

    expect(step.value).toMatchObject({ items: 0, chunks: [], invalidItems: MAX_ITEMS + 1 })
    expect(read).toBeLessThan(MAX_ITEMS + 3000)
  })

  it('knows the files that its items name', async () => {
    const [one, two] = [{ file_id: 'file_1' }, { file_id: 'file_2' }]
    const items = [item('a', { input: one }), item('b', { input: two }), item('c', { input: one }), item('d')]

    const planned = await plan(items.map(lineOf).join(''))

    expect(planned.pages.map(({ fileIds }) => fileIds)).toEqual([['file_1', 'file_2']])
    expect(planned.summary.chunks.map(({ path, runs, inputTokens }) => [path, runs, inputTokens])).toEqual([
      ['jobs', [[0, 3]], 300],
      ['batch', [[3, 1]], 2],
    ])
    const missing = await plan(lineOf(item('a', { input: { file_id: 'file_9' } })))
    expect(missing.faults).toMatchObject([{ detail: '/input/file_id: There is no such file.' }])
  })

  it('tells of a pair of confidentiality and retention that is one too many', async () => {
    const items = Array.from({ length: 17 }, (_, at) => item(`i${at}`, { retention_seconds: at }))

    const { faults, summary } = await plan(items.map(lineOf).join(''), { onInvalid: 'skip' })

    expect(summary).toMatchObject({ items: 16, invalidItems: 1 })
    expect(faults).toMatchObject([
      {
        line: 17,
        external_reference: 'i16',
        detail: 'A batch has at most 16 different pairs of confidentiality and retention.',
      },
    ])
  })

  it('is made of the lines that a rerun takes, as if there were no others', async () => {
    const source = [item('a'), item('b'), 'x', item('b'), item('c'), item('d'), 'y'].map(lineOf).join('')

    const planned = await plan(source, {
      lines: [
        [2, 1],
        [5, 2],
      ],
    })

    expect(itemsOf(planned).map(({ line, reference }) => [line, reference])).toEqual([
      [2, 'b'],
      [5, 'c'],
      [6, 'd'],
    ])
    expect(planned.summary).toMatchObject({ items: 3, chunks: [{ runs: [[0, 3]] }] })
  })

  it('for a rerun is the one of the lines alone', async () => {
    const lines = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(lines, async (numbers) => {
        const taken = numbers.toSorted((a, b) => a - b)
        const runs = taken.map((line): Run => [line, 1])
        const source = Array.from({ length: 30 }, (_, at) => lineOf(item(`i${at + 1}`))).join('')

        const planned = await plan(source, { lines: runs })

        expect(itemsOf(planned).map(({ line }) => line)).toEqual(taken)
      }),
      { numRuns: 50 },
    )
  })

  it('is a fault of ours for a model that is not there', async () => {
    await expect(plan(lineOf(item('a')), { model: 'embedded/gone' })).rejects.toThrow('not in the catalog')
  })
})

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
