/** Names in a text, where its script shows them: by capitals, in katakana, before a title of courtesy. Pure. */

const word = /\p{L}[\p{L}\p{M}\p{N}]*(?:['’-]\p{L}[\p{L}\p{M}\p{N}]*)*/gu
const isCapital = (text: string) => /^\p{Lu}/u.test(text)
/** `NATO`, `McKay`: a name wherever it stands. */
const hasInnerCapital = (text: string) => /^\p{L}.*\p{Lu}/u.test(text)
const isPronoun = (text: string) => /^I(?:['’]|$)/u.test(text)
/** What goes before a word that would have a capital anyway. */
const beginsSentence = /(?:^|[.!?…:;•|#\n\r])[\s\p{P}]*$|[\p{Pi}\p{Ps}"]$/u
const BEFORE = 8

interface Word {
  readonly text: string
  readonly isFirst: boolean
}

const words = (text: string): Word[] =>
  Array.from(text.matchAll(word), ({ 0: found, index }) => ({
    text: found,
    isFirst: beginsSentence.test(text.slice(Math.max(0, index - BEFORE), index)) || index === 0,
  }))

/** What a text calls by name. */
export function names(text: string): string[] {
  const all = words(text)
  const capital = all.filter(({ text: one, isFirst }) => hasInnerCapital(one) || (isCapital(one) && !isFirst))
  return [
    ...capital.map(({ text: one }) => one.replace(/['’]s?$/u, '')).filter((one) => !isPronoun(one)),
    ...Array.from(text.matchAll(/[\p{Script=Katakana}ー・]{3,}/gu), ([name]) => name),
    ...Array.from(
      text.matchAll(/\p{Script=Han}{2,4}(?=さん|氏|様|教授|博士|首相|大統領)/gu),
      ([name]) => name,
    ),
  ]
}

const NOUNS_SHARE = 0.25

/** Whether the language of the text writes common nouns with capitals too, so that these do not show names. */
export function hasCapitalNouns(text: string): boolean {
  const within = words(text).filter(({ isFirst }) => !isFirst)
  return within.filter(({ text: one }) => isCapital(one)).length > within.length * NOUNS_SHARE
}

/** The first letters of the capitalised words that follow each other, for names that are abbreviated. */
export const initials = (text: string) =>
  words(text)
    .filter(({ text: one }) => isCapital(one))
    .map(({ text: one }) => one[0])
    .join('')
    .toLowerCase()
