/** Cuts bytes into lines as they come. Of a line that is too long nothing is held. */
import type { Line, LineGroup } from './lines.ts'
import { MAX_LINE_BYTES } from './plan.ts'

const GROUP_LINES = 500
const GROUP_BYTES = MAX_LINE_BYTES

const LF = 0x0a
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0d || byte === 0x09
const byteOrderMark = [0xef, 0xbb, 0xbf]
/** What may be cut off of a line before its length counts. */
const MARGIN_BYTES = 64

export class LineCutter {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #line = 1
  /** Where the present line begins. */
  #at = 0
  /** Of the present line, as far as it has come; nothing of it is held once it is too long. */
  #parts: Uint8Array[] = []
  #bytes = 0
  #group: Line[] = []
  #groupBytes = 0

  end(): LineGroup {
    if (this.#bytes > 0) this.#close(0)
    return this.#take()
  }

  *cut(chunk: Uint8Array): Generator<LineGroup> {
    for (let from = this.#skipBlank(chunk, 0); from < chunk.length; from = this.#skipBlank(chunk, from)) {
      const end = chunk.indexOf(LF, from)
      this.#hold(chunk.subarray(from, end === -1 ? chunk.length : end))
      if (end === -1) return
      this.#close(1)
      from = end + 1
      if (this.#group.length >= GROUP_LINES || this.#groupBytes >= GROUP_BYTES) yield this.#take()
    }
  }

  /** Byte by byte, so that a source of nothing but blank lines costs no more than reading it. */
  #skipBlank(chunk: Uint8Array, from: number): number {
    if (this.#bytes > 0) return from
    let to = from
    for (; chunk[to] === LF || isSpace(chunk[to]); to++) if (chunk[to] === LF) this.#line++
    this.#at += to - from
    return to
  }

  #hold(part: Uint8Array) {
    this.#bytes += part.length
    if (this.#bytes > MAX_LINE_BYTES + MARGIN_BYTES) this.#parts = []
    else this.#parts.push(part)
  }

  #close(ending: number) {
    const line = this.#lineOf(trimmed(joined(this.#parts), this.#at))
    if (line.text?.trim() !== '') this.#group.push(line)
    this.#groupBytes += line.bytes
    this.#at += this.#bytes + ending
    this.#line++
    this.#parts = []
    this.#bytes = 0
  }

  #lineOf({ skipped, text }: Trimmed): Line {
    const place = { line: this.#line, at: this.#at + skipped }
    if (text.length > MAX_LINE_BYTES || this.#bytes > MAX_LINE_BYTES + MARGIN_BYTES)
      return { ...place, bytes: this.#bytes, text: null, fault: 'too_large' }
    try {
      return { ...place, bytes: text.length, text: this.#decoder.decode(text), fault: null }
    } catch {
      return { ...place, bytes: text.length, text: null, fault: 'not_utf8' }
    }
  }

  #take(): LineGroup {
    const group = this.#group
    this.#group = []
    this.#groupBytes = 0
    return group
  }
}

interface Trimmed {
  readonly skipped: number
  readonly text: Uint8Array
}

/** Without a byte order mark, which stands at the very beginning or is none, and without spaces at the end. */
function trimmed(bytes: Uint8Array, at: number): Trimmed {
  const skipped = at === 0 && byteOrderMark.every((byte, place) => bytes[place] === byte) ? 3 : 0
  let end = bytes.length
  while (end > skipped && isSpace(bytes[end - 1])) end--
  return { skipped, text: bytes.subarray(skipped, end) }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(0), ...more] = parts
  if (more.length === 0) return first
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
