/**
 * Names in a JSON text that parsers fight over: one that its object has twice, of which some keep the first and some the last, and
 * `__proto__`, which some drop without a word. Whoever reads the parsed value sees neither any more, so the text is gone through.
 */
import { jsonPointer } from '../openapi/field-errors.ts'

export interface DisputedName {
  readonly pointer: string
  readonly detail: string
}

const [QUOTE, COLON, COMMA, BACKSLASH] = [0x22, 0x3a, 0x2c, 0x5c]
const [OBJECT, OBJECT_END, LIST, LIST_END] = [0x7b, 0x7d, 0x5b, 0x5d]
/** No request has anything deeper than this: what is there is refused as unknown. */
const DEEPEST = 32

/** The first such name, with where it stands. Of a text that is no JSON it may say anything. */
export function disputedName(json: string): DisputedName | null {
  const walk = new Walk()
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at)
    if (character === OBJECT || character === LIST) walk.enter(character === LIST)
    else if (character === OBJECT_END || character === LIST_END) walk.leave()
    else if (character === COMMA) walk.next()
    else if (character === QUOTE) {
      const end = endOfString(json, at)
      const detail = isName(json, end) ? walk.take(stringAt(json, at, end)) : null
      if (detail) return { pointer: walk.pointer(), detail }
      at = end
    }
  }
  return null
}

interface Level {
  readonly names: Set<string>
  /** The name, or the position in a list, that the walk has come to. */
  place: string | number
}

/** One level for each depth, used again by all that stand side by side there. */
class Walk {
  readonly #levels: Level[] = []
  #depth = 0

  enter(isList: boolean) {
    this.#depth++
    if (this.#depth > DEEPEST) return
    const level = this.#level ?? { names: new Set(), place: '' }
    level.names.clear()
    level.place = isList ? 0 : ''
    this.#levels[this.#depth] = level
  }

  leave() {
    this.#depth--
  }

  next() {
    const level = this.#level
    if (typeof level?.place === 'number') level.place++
  }

  /** What is wrong with the name; null if nothing is. */
  take(name: string): string | null {
    const level = this.#level
    if (!level) return null
    level.place = name
    if (name === '__proto__') return 'This name is not allowed.'
    if (level.names.has(name)) return 'This name is there twice.'
    level.names.add(name)
    return null
  }

  pointer() {
    return jsonPointer(this.#levels.slice(1, this.#depth + 1).map(({ place }) => place))
  }

  get #level() {
    return this.#levels[this.#depth]
  }
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end === -1 ? json.length : end
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0
  while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}

const isSpace = (character: number) => character <= 0x20

/** A string is a name if a colon follows. */
function isName(json: string, end: number): boolean {
  let after = end + 1
  while (isSpace(json.charCodeAt(after))) after++
  return json.charCodeAt(after) === COLON
}

function stringAt(json: string, start: number, end: number): string {
  const text = json.slice(start + 1, end)
  return text.includes('\\') ? unescaped(text) : text
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}
