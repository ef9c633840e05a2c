/** Tables of comma-separated values (RFC 4180), for spreadsheets. */
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'

const CSV = 'text/csv'

/** What asks for a table: the parameter `format`, or else `Accept`. */
export const wantsCsv = (c: Context, format: 'json' | 'csv' | undefined): boolean =>
  format === undefined
    ? accepts(c, { header: 'Accept', supports: ['application/json', CSV], default: 'application/json' }) ===
      CSV
    : format === 'csv'

/** Of a download under this name. */
export const csvHeaders = (file: string) => ({
  'Content-Type': `${CSV}; charset=utf-8; header=present`,
  'Content-Disposition': `attachment; filename="${file}.csv"`,
})

type Row<N extends string> = Readonly<Record<N, string | number | null>>

/** A line of names, then one for each row; null is an empty field. */
export const csvOf = <N extends string>(names: readonly N[], rows: readonly Row<N>[]): string =>
  [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((fields) => `${fields.map(fieldOf).join(',')}\r\n`)
    .join('')

function fieldOf(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '')
  const text = inert(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A text that a spreadsheet would take for a formula stays a text. */
const inert = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
