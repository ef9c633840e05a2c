/**
 * Whether the numbers and names of a text stand in the text that it was made from. A hint, not a proof: what is the same in other
 * words is told from what was made up only where that is simple. Pure.
 */
import { hasCapitalNouns, initials, names } from './names.ts'
import { asciiDigits, type Mention, mentions, spelled } from './numbers.ts'

/** Whether all numbers and names of `text` are in `source`. */
export function isFounded(text: string, source: string): boolean {
  const [made, from] = [asciiDigits(text), asciiDigits(source)]
  return numbersAreFounded(mentions(made), from) && namesAreFounded(names(made), from)
}

function numbersAreFounded(made: readonly Mention[], source: string): boolean {
  if (made.length === 0) return true
  const known = new Set(spelled(source.toLowerCase()))
  for (const { readings, parts } of mentions(source))
    for (const one of [...readings, ...parts]) known.add(one)
  return made.every(
    ({ readings, parts }) =>
      readings.some((one) => known.has(one)) || (parts.length > 0 && parts.every((one) => known.has(one))),
  )
}

function namesAreFounded(made: readonly string[], source: string): boolean {
  if (made.length === 0) return true
  const text = source.toLowerCase()
  const unknown = made.filter((name) => !isIn(text, name.toLowerCase()))
  if (unknown.length === 0) return true
  const abbreviated = initials(source)
  return (
    unknown.every((name) => isShort(name) && abbreviated.includes(name.toLowerCase())) ||
    hasCapitalNouns(source)
  )
}

const isShort = (name: string) => /^\p{Lu}{2,}$/u.test(name)

const LONG = 6
const ENDING = 2

/** The name as a word of its own, or, where it is long, with another ending. */
function isIn(text: string, name: string): boolean {
  if (/^[\p{Script=Katakana}\p{Script=Han}ー・]+$/u.test(name)) return text.includes(name)
  if (name.length >= LONG && text.includes(name.slice(0, -ENDING))) return true
  return name.split(/['’-]/u).every((part) => hasWord(text, part))
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (
      !/\p{L}$/u.test(text.slice(Math.max(0, at - 2), at)) &&
      !/^\p{L}/u.test(text.slice(at + word.length, at + word.length + 2))
    )
      return true
  return false
}
