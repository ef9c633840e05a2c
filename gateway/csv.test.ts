import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { csvHeaders, csvOf, wantsCsv } from './csv.ts'

describe('a table of comma-separated values', () => {
  it('has a line of names, and lines that end with CRLF', () => {
    const rows = [
      { day: '2026-11-30', jobs: 3, cost: 0.000125, model: null },
      { day: '2026-12-01', jobs: 0, cost: 0, model: 'test/priced' },
    ]

    expect(csvOf(['day', 'model', 'jobs', 'cost'], rows)).toBe(
      'day,model,jobs,cost\r\n2026-11-30,,3,0.000125\r\n2026-12-01,test/priced,0,0\r\n',
    )
  })

  it('without rows is its names', () => {
    expect(csvOf(['day', 'jobs'], [])).toBe('day,jobs\r\n')
  })

  it.each([
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    ['a\r\nb', '"a\r\nb"'],
    [' a ', ' a '],
    ['要約', '要約'],
  ])('quotes %j where it has to', (text, field) => {
    expect(csvOf(['x'], [{ x: text }])).toBe(`x\r\n${field}\r\n`)
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
  ])('gives a spreadsheet no formula out of the text %j', (text, field) => {
    expect(csvOf(['x'], [{ x: text }])).toBe(`x\r\n${field}\r\n`)
  })

  it('is a download with a name', () => {
    expect(csvHeaders('usage-2026-11')).toEqual({
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': 'attachment; filename="usage-2026-11.csv"',
    })
  })
})

describe('what asks for a table', () => {
  it.each([
    [undefined, undefined, false],
    ['*/*', undefined, false],
    ['text/csv', undefined, true],
    ['text/csv; header=present', undefined, true],
    ['application/json, text/csv;q=0.9', undefined, false],
    ['application/json;q=0.5, text/csv', undefined, true],
    ['text/html,application/xhtml+xml,*/*;q=0.8', undefined, false],
    ['text/html', undefined, false],
    ['application/json', 'csv', true],
    ['text/csv', 'json', false],
    [undefined, 'csv', true],
  ] as const)('Accept %s with the format %s: %s', async (accept, format, wanted) => {
    const app = new Hono().get('/', (c) => c.json(wantsCsv(c, format)))

    const response = await app.request('/', { headers: accept ? { Accept: accept } : {} })

    expect(await response.json()).toBe(wanted)
  })
})
