import { countCharacters, countWords, segments } from '../../../catalog/words.ts'

/** Upper bounds, or `Infinity`: words as `countWords` counts them, and characters as code points. */
export type Room = { words: number; characters: number }

const ELLIPSIS = '…'
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const danglingMarks = /[\s,;:、，；：・([「『（“‘—–-]+$/u

/** The head of a text that has no room, in whole words where one fits, and `…`, which is a character too. */
export function cut(text: string, room: Room): string {
  const characters = room.characters - 1
  const head =
    wholeWords(text, { ...room, characters }) ||
    wholeGraphemes(text, characters) ||
    codePoints(text, characters)
  const result = (head.replace(danglingMarks, '') || head) + ELLIPSIS

  // A dictionary may split the head of a text otherwise than the whole of it (Thai does).
  return room.words <= 1 || countWords(result) <= room.words
    ? result
    : cut(text, { ...room, words: room.words - 1 })
}

function wholeWords(text: string, room: Room): string {
  let [words, characters, end] = [0, 0, 0]
  for (const { segment, isWordLike } of segments(text)) {
    if (isWordLike) words++
    characters += countCharacters(segment)
    if (words > room.words || characters > room.characters) break
    end += segment.length
  }
  return text.slice(0, end).trimEnd()
}

function wholeGraphemes(text: string, characters: number): string {
  let [taken, end] = [0, 0]
  for (const { segment } of graphemes.segment(text)) {
    taken += countCharacters(segment)
    if (taken > characters) break
    end += segment.length
  }
  return text.slice(0, end)
}

function codePoints(text: string, characters: number): string {
  return [...text.slice(0, 2 * characters)].slice(0, characters).join('')
}
