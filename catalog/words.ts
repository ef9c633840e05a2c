/**
 * Words and lengths of a text, by the rules of the platform (Intl.Segmenter), which holds a Japanese
 * dictionary. Pure: no clock, no randomness, the same answer in every isolate.
 */
type Locale = 'en' | 'ja'

const DETECTION_SAMPLE = 4_000
/** Made with the first text, since one takes longer than the rest of a Worker's start. */
const segmenters: Partial<Record<Locale, Intl.Segmenter>> = {}

function segmenterOf(locale: Locale): Intl.Segmenter {
  segmenters[locale] ??= new Intl.Segmenter(locale, { granularity: 'word' })
  return segmenters[locale]
}

/** `ja` when kana and kanji are at least as many as other letters at the head of the text, else `en`. */
export function localeOf(text: string): Locale {
  const sample = text.slice(0, DETECTION_SAMPLE)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  const japanese = sample.match(/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu)?.length ?? 0
  return japanese > 0 && japanese * 2 >= letters ? 'ja' : 'en'
}

/** Words and what stands between them, in order and without gaps. */
export function segments(text: string): Iterable<Intl.SegmentData> {
  return segmenterOf(localeOf(text)).segment(text)
}

/** The number of words, which is what `max_words` limits; counts no further than `atMost`. */
export function countWords(text: string, atMost = Infinity): number {
  let count = 0
  for (const { isWordLike } of segments(text)) {
    if (isWordLike) count++
    if (count >= atMost) break
  }
  return count
}

/** The number of Unicode code points: what `max_characters` limits. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
