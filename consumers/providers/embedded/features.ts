/**
 * What a text is compared by: its words, pieces of their spelling, and their subjects. Features are
 * visited, not collected, so that a long text needs no memory for them.
 */
import { isStopWord, stem } from './terms.ts'
import { words } from './text.ts'
import { isKnown, topicsOf } from './topics.ts'

type Visit = (feature: string, weight: number) => void

const STOP_WORD_WEIGHT = 0.1
const GRAMS_WEIGHT = 0.5
const TOPIC_WEIGHT = 0.8
const LONGEST_SPELLING = 24
const LATIN_GRAM = 4
const KANA_GRAM = 3

/** Visits each feature of the text; one that occurs more often weighs more, but less than in proportion. */
export function eachFeature(text: string, visit: Visit): void {
  const counts = countStems(text)
  const topics = new Map<string, number>()
  for (const [stem, count] of counts) {
    visitStem(stem, dampen(count), visit)
    for (const topic of topicsOf(stem)) topics.set(topic, (topics.get(topic) ?? 0) + count)
  }
  for (const [topic, count] of topics) visit(`topic:${topic}`, TOPIC_WEIGHT * dampen(count))
  if (counts.size === 0) for (const character of new Set(text.trim())) visit(`character:${character}`, 1)
}

function countStems(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [word, count] of tally(text)) {
    const key = isStopWord(word) ? word : stem(word.normalize('NFKC'))
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  return counts
}

function tally(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  let previous = ''
  for (const word of words(text)) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
    const compound = previous + word
    if (isKnown(compound)) counts.set(compound, (counts.get(compound) ?? 0) + 1)
    previous = word
  }
  return counts
}

function visitStem(stem: string, weight: number, visit: Visit): void {
  const stopped = isStopWord(stem)
  visit(`word:${stem}`, stopped ? weight * STOP_WORD_WEIGHT : weight)
  if (stopped) return

  const pieces = grams(stem.slice(0, LONGEST_SPELLING))
  for (const piece of pieces) visit(`gram:${piece}`, (weight * GRAMS_WEIGHT) / Math.sqrt(pieces.length))
}

/** Single kanji and pairs, as compounds are built from them; longer pieces where a letter says little. */
function grams(stem: string): string[] {
  if (/\p{Script=Han}/u.test(stem)) return [...(stem.match(/\p{Script=Han}/gu) ?? []), ...slices(stem, 2)]
  if (/^[\p{Script=Hangul}]/u.test(stem)) return slices(stem, 2)
  if (/^[\p{Script=Katakana}\p{Script=Hiragana}]/u.test(stem)) return slices(stem, KANA_GRAM)
  return slices(`^${stem}$`, LATIN_GRAM)
}

function slices(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length))
}

function dampen(count: number): number {
  return 1 + Math.log(count)
}
