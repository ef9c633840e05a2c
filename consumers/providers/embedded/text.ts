/** The words of texts, as the catalog tells them apart. */
import { segments } from '../../../catalog/words.ts'

/** PARAGRAPH SEPARATOR: always between words, and never within a sentence. */
const SEPARATOR = '\u2029'

/** The words of the text in order, lower-cased and with straight apostrophes. */
export function words(text: string): string[] {
  return wordsOfEach([text.replaceAll(SEPARATOR, ' ')])[0] ?? []
}

/**
 * The words of each text. One pass over all of them, since to start a pass costs more than a short sentence
 * does.
 */
export function wordsOfEach(texts: string[]): string[][] {
  const found: string[][] = texts.map(() => [])
  let place = 0
  for (const { segment, isWordLike } of segments(texts.join(SEPARATOR).replaceAll('’', "'"))) {
    if (segment === SEPARATOR) place++
    else if (isWordLike) found[place]?.push(segment.toLowerCase())
  }
  return found
}
