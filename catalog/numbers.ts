/** The numbers that a text holds, in forms that can be compared. Pure. */

/** One number as it was written. */
export interface Mention {
  /** What it can mean: `1,234` is read as a thousand or as a fraction. */
  readonly readings: readonly string[]
  /** The numbers that it may be instead, as in dates; empty where it can only be one. */
  readonly parts: readonly string[]
}

/** Thousands may be told apart by spaces, points, commas or apostrophes. */
const written = /\d{1,3}(?: \d{3})+(?!\d)|\d+(?:[.,'’]\d+)*/gu
const separators = /[ .,'’]/u

/** Of text by `asciiDigits`. */
export const mentions = (text: string): Mention[] =>
  Array.from(text.matchAll(written), ([number]) => ({
    readings: [inThousands(number), withFraction(number)].flatMap((reading) => reading ?? []),
    parts: mayBeSeveral(number) ? number.split(separators).map(plain) : [],
  }))

const thousands = /^\d{1,3}(?:[ .,'’]\d{3})+$/u

const mayBeSeveral = (number: string) =>
  number.includes(' ') || (!thousands.test(number) && number.split(separators).length > 2)

const inThousands = (number: string) => (thousands.test(number) ? plain(number.replaceAll(/\D/g, '')) : null)

/** The last separator is that of the fraction. */
function withFraction(number: string): string {
  const [, whole = number, fraction = ''] = /^(.*)[.,](\d+)$/u.exec(number) ?? []
  const decimals = fraction.replace(/0+$/, '')
  return plain(whole.replaceAll(/\D/g, '')) + (decimals && `.${decimals}`)
}

/** Without zeros in front. */
const plain = (digits: string) => digits.replace(/^0+(?=\d)/, '')

/** The text with compatible forms made one, and the digits of every script as those of ASCII. */
export const asciiDigits = (text: string) =>
  text.normalize('NFKC').replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => String(digitOf(digit)))

const isDigit = (codePoint: number) => /\p{Nd}/u.test(String.fromCodePoint(codePoint))

/** The ten digits of a script follow each other, and begin at a code point that ends in 0 or 6. */
function digitOf(digit: string): number {
  const codePoint = digit.codePointAt(0) ?? 0
  const place = codePoint & 0xf
  return isDigit(codePoint - place) ? place : place - 6
}

const english = new Map(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen twenty`
    .split(/\s+/)
    .map((word, value) => [word, value]),
)
const ordinals = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'
for (const [value, word] of ordinals.split(' ').entries()) english.set(word, value)
for (const [at, word] of 'thirty forty fifty sixty seventy eighty ninety hundred'.split(' ').entries())
  english.set(word, 30 + at * 10)
english.set('thousand', 1000).set('million', 1_000_000).set('once', 1).set('twice', 2)

/** The numbers that a text, in small letters, holds in words. */
export const spelled = (text: string): string[] => [...inEnglish(text), ...inKanji(text)].map(String)

const inEnglish = (text: string): number[] => {
  const values = Array.from(text.matchAll(/\p{L}+/gu), ([word]) => english.get(word))
  return values.flatMap((value, at) => {
    if (value === undefined) return []
    const tens = values[at - 1] ?? 0
    return tens >= 20 && tens < 100 && value < 10 ? [value, tens + value] : [value]
  })
}

const inKanji = (text: string): number[] =>
  Array.from(text.matchAll(/[〇一二三四五六七八九十百千万億]+/gu), ([word]) => kanjiValue(word))

const kanjiDigits = '〇一二三四五六七八九'
const small = new Map([
  ['十', 10],
  ['百', 100],
  ['千', 1000],
])
const large = new Map([
  ['万', 10_000],
  ['億', 100_000_000],
])

/** By place (`二〇二六`) or with units (`二千二十六`). */
function kanjiValue(word: string): number {
  let [total, section, digits] = [0, 0, 0]
  for (const character of word) {
    const [unit, factor] = [small.get(character), large.get(character)]
    if (unit) [section, digits] = [section + (digits || 1) * unit, 0]
    else if (factor) [total, section, digits] = [total + (section + digits || 1) * factor, 0, 0]
    else digits = digits * 10 + kanjiDigits.indexOf(character)
  }
  return total + section + digits
}
