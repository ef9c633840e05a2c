/**
 * The lines of an NDJSON source, with where each lies in it. A byte order mark, CRLF, blank lines and spaces around a line are of no
 * account. Memory is flat: lines come in groups, and of one that is too long nothing is kept.
 */
import { LineCutter } from './line-cutter.ts'

export interface LinePlace {
  /** From 1; blank lines count. */
  readonly line: number
  /** Where its text begins in the source, and how long it is, in bytes. */
  readonly at: number
  readonly bytes: number
}

export type LineFault = 'not_utf8' | 'too_large'

export type Line = LinePlace &
  ({ readonly text: string; readonly fault: null } | { readonly text: null; readonly fault: LineFault })

export type LineGroup = readonly Line[]

/** Blank lines are not among them. Ends the source when no more lines are taken. */
export async function* sourceLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<LineGroup> {
  const cutter = new LineCutter()
  for await (const chunk of source) yield* cutter.cut(chunk)
  yield cutter.end()
}
