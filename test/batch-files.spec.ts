import { describe, expect, it } from 'vitest'
import {
  embedItems,
  endedBatch,
  manifestOf,
  ndjson,
  reportOf,
  resultsOf,
  submittedBatch,
} from './support/batches.ts'
import { newTenant, TEXT } from './support/tenant.ts'
import { bytesOf, type Content, upload, uploaded } from './support/uploads.ts'

const NDJSON = 'application/x-ndjson'
const [first, second, third] = embedItems(3).map((item) => JSON.stringify(item))
const MEGABYTE = 1024 * 1024
const padded = (bytes: number) => `{"external_reference":"big","input":{"texts":["${'a'.repeat(bytes)}"]}}`

/** What a batch of this file came to. */
async function endOf(file: Content, more: object = {}) {
  const acme = await newTenant()
  const { id: items_file_id } = await uploaded(acme, file, NDJSON)
  const { id } = await submittedBatch(acme, { kind: 'embed', items_file_id, ...more })
  const batch = await endedBatch(acme, id)
  return { acme, id, batch, report: await reportOf(acme, id) }
}

const skip = { on_invalid: 'skip' }

describe.concurrent('a file of items', () => {
  it.each([
    ['a byte order mark', `\uFEFF${first}\n${second}\n`],
    ['CRLF', `${first}\r\n${second}\r\n`],
    ['blank lines, also at the end', `\n${first}\n\n \t\n${second}\n\n\r\n`],
    ['spaces around its lines', `  ${first}  \n\t${second}\t`],
    ['no line feed at its end', `${first}\n${second}`],
    ['all of these', `\uFEFF\r\n${first} \r\n\r\n ${second}\r\n\r\n`],
  ])('may have %s', async (_, text) => {
    const { acme, id, batch, report } = await endOf(text)

    expect(batch).toMatchObject({ status: 'completed', counts: { total: 2, succeeded: 2 } })
    expect(report.errors).toEqual([])
    expect((await resultsOf(acme, id)).map((line) => line.external_reference)).toEqual(['item-0', 'item-1'])
  })

  it.each([
    ['nothing but blank lines', '\n\r\n \n', [0, 'Holds no items.']],
    ['nothing but a byte order mark', '\uFEFF', [0, 'Holds no items.']],
    ['a line above 1 MiB', `${first}\n${padded(MEGABYTE)}\n`, [2, 'Longer than 1048576 bytes.']],
    ['a reference twice', `${first}\n${second}\n${first}\n`, [3, /The same in line 1 and line 3\.$/]],
    ['a line that is no object', `${first}\n[]\n`, [2, expect.any(String)]],
    ['a reference outside its pattern', first?.replace('item-0', 'item 0'), [1, /^\/external_reference: /]],
    ['an item of another kind', `${first}\n{"external_reference":"a","input":{"text":"b"}}`, [2, /input/]],
    ['half of a character', `${first}\n${third?.replace('All', '\\ud800')}\n`, [2, /well-formed Unicode/]],
  ] as const)(
    'that holds %s fails before anything is sent, and says where',
    async (_, text, [line, detail]) => {
      const { acme, id, batch, report } = await endOf(text ?? '')

      expect(batch).toMatchObject({ status: 'failed', status_reason: 'invalid_items', counts: { total: 0 } })
      const said = detail instanceof RegExp ? expect.stringMatching(detail) : detail
      expect(report).toMatchObject({ errors: [{ line, detail: said }], error_count: 1 })
      expect(await manifestOf(acme, id)).toMatchObject({ item_count: 0, chunks: [], items: [] })
      expect(await resultsOf(acme, id)).toEqual([])
    },
  )

  it('that holds thousands of bad lines fails, and its report names ten thousand of them', async () => {
    const { batch, report } = await endOf(`${first}\n${'{\n'.repeat(10_250)}${second}\n`)

    expect(batch).toMatchObject({ status: 'failed', status_reason: 'invalid_items' })
    expect(report.error_count).toBe(10_250)
    expect(report.errors.map(({ line }) => line)).toEqual(Array.from({ length: 10_000 }, (_, at) => at + 2))
  })

  it.each([
    ['a line of 60 MB', `${padded(60 * MEGABYTE)}\n${first}\n`, 1, 'input_too_large', ['item-0']],
    ['a reference twice', `${first}\n${second}\n${first}\n`, 3, 'invalid_input', ['item-0', 'item-1']],
    ['what is cut off', `${first}\n${second?.slice(0, -9)}`, 2, 'invalid_input', ['item-0']],
  ])('that holds %s runs without it where it was asked to', async (_, text, line, failure, ran) => {
    const { acme, id, batch, report } = await endOf(text, skip)

    expect(batch).toMatchObject({ status: 'partially_failed', status_reason: 'invalid_items' })
    expect(report).toMatchObject({ errors: [{ line, class: failure }], error_count: 1 })
    expect((await resultsOf(acme, id)).map((one) => one.external_reference)).toEqual(ran)
  })

  it('that holds nothing at all, or is not UTF-8, is not taken', async () => {
    const acme = await newTenant()

    const empty = await upload(acme, '', { type: NDJSON, headers: { 'Content-Length': '0' } })
    const broken = await upload(acme, bytesOf(0x22, 0xff, 0xfe, 0x22), { type: NDJSON })

    expect([empty.status, broken.status]).toEqual([400, 400])
    expect(broken.body.errors).toMatchObject([{ detail: 'Not UTF-8.' }])
  })

  it('that holds an item above what its model takes says so', async () => {
    const text = JSON.stringify({ external_reference: 'long', input: { text: TEXT.repeat(500) } })
    const { report } = await endOf(text, {
      kind: 'summarize',
      model: 'workers-ai/llama-3.3-70b-instruct-fp8-fast',
    })

    expect(report.errors).toMatchObject([{ line: 1, external_reference: 'long', class: 'input_too_large' }])
  })

  it('that holds more than 50,000 items runs none of them, whatever was asked', async () => {
    const { batch, report } = await endOf(ndjson(embedItems(50_001, { input: { texts: ['a'] } })), skip)

    expect(batch).toMatchObject({ status: 'failed', counts: { total: 0 } })
    expect(report.errors).toMatchObject([{ line: 0, detail: 'More than 50000 items.' }])
  })
})
