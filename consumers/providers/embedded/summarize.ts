/**
 * Extractive summaries: whole sentences of the text, in its order. Nothing is written anew, so a summary
 * cannot say what the text does not.
 */
import { countCharacters } from '../../../catalog/words.ts'
import { cut } from './cut.ts'
import { type Candidate, choose } from './rank.ts'
import { isClosed, isLeaning, sentences } from './sentences.ts'
import { terms } from './terms.ts'
import { wordsOfEach } from './text.ts'

/** Words as `countWords` counts them; characters are code points. */
type Limits = { max_words?: number | undefined; max_characters?: number | undefined }

const DEFAULT_MAX_WORDS = 120
/** Also where only words are limited: a text of signs alone has no words. */
const MOST_CHARACTERS = 20_000
const LONGEST_HEADING_WORDS = 8

/**
 * Sentences of the text within both limits, or 120 words when neither is given. Where not one sentence
 * fits, the first full one is cut and ends in `…`. Blank only for blank text.
 */
export function summarize(text: string, limits: Limits): string {
  return join(pickSentences(text, limits))
}

/** The sentences that a summary consists of. */
export function pickSentences(text: string, limits: Limits): string[] {
  const { max_characters: characters = MOST_CHARACTERS } = limits
  const { max_words: words = limits.max_characters === undefined ? DEFAULT_MAX_WORDS : Infinity } = limits
  const candidates = withoutHeadings(read(text))
  const chosen = choose(candidates, { words, characters })
  if (chosen.length > 0) return chosen.map(({ text }) => text)

  const lead = candidates.find(({ closed }) => closed) ?? candidates[0]
  return lead ? [cut(lead.text, { words, characters })] : []
}

/** A space between sentences, except before a script that has none. */
function join(sentences: string[]): string {
  return sentences.reduce(
    (before, after) => before + (before && isSpaced(before, after) ? ' ' : '') + after,
    '',
  )
}

function isSpaced(before: string, after: string): boolean {
  const wide = /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}「『（【０-９]/u
  return !(/[。．！？」』）】]$/.test(before) && wide.test(after))
}

function read(text: string): Candidate[] {
  const texts = [...new Set(sentences(text))]
  return wordsOfEach(texts).map((words, position) => candidate(texts[position] ?? '', words, position))
}

function candidate(text: string, words: string[], position: number): Candidate {
  return {
    text,
    position,
    terms: [...new Set(terms(words))],
    words: words.length,
    characters: countCharacters(text),
    closed: isClosed(text),
    leaning: isLeaning(text),
  }
}

function withoutHeadings(candidates: Candidate[]): Candidate[] {
  const proper = candidates.filter(({ words, closed }) => closed || words > LONGEST_HEADING_WORDS)
  return proper.length > 0 ? proper : candidates
}
