/**
 * What a text is about: its words without those that every text has, brought to one form.
 * The stemming is light and only has to be consistent; it is not meant to be read.
 */
const english = new Set(
  `a about above after again against all also am an and any are as at be because been before being below
    between both but by can cannot could did do does doing down during each else etc ever every everyone
    everything anyone anything someone something few for from further get had has have having he her here
    hers herself him himself his how however i if in into is it its itself just let may me might more most
    must my myself no nor not now of off on once one only or other our ours ourselves out over own same
    shall she should since so some such than that the their theirs them themselves then there therefore
    these they this those through thus to too under until up upon us very was we were what when where
    whereas which while who whom whose why will with within without would yet you your yours yourself
    yourselves it's i'm don't can't won't isn't doesn't didn't i've we're you're that's`.split(/\s+/),
)

const japanese = new Set(
  `及び 又は 並びに 若しくは 且つ 又 等 的 為 事 時 中 上 下 際 内 後 前 間 人 者 物 方 今 有 行 思 言 出
    来 見 何人 有する 行う 以下 以上 場合 何 其 此 各 ため それぞれ について において における によって
    による により にとって とともに として なければ ならない なかった ありません でしょう ください
    いただき しました しましょう されている されました しかしながら したがって すなわち ところ いずれ
    ものとする これらの それらの なければならない かもしれない ようになった いたします ございます`.split(
    /\s+/,
  ),
)

const LONGEST_HIRAGANA_PARTICLE = 3
const hiraganaOnly = /^[\p{Script=Hiragana}ー]+$/u

/** Particles and auxiliaries are short and in hiragana; a longer word in hiragana has a meaning. */
export function isStopWord(word: string): boolean {
  if (word.length <= LONGEST_HIRAGANA_PARTICLE && hiraganaOnly.test(word)) return true
  return english.has(word) || japanese.has(word)
}

/** The stems of the words that carry meaning, in order, repeats kept; of all the words, if none does. */
export function terms(words: string[]): string[] {
  const meaningful = words.filter((word) => !isStopWord(word))
  return (meaningful.length > 0 ? meaningful : words).map((word) => stem(word.normalize('NFKC')))
}

/** `studies`, `studied` and `studying` come to one form; words in other scripts are left as they are. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z']+$/.test(word)) return word
  const singular = word
    .replace(/'s?$/, '')
    .replace(/(?<=[a-z]{2})ies$/, 'y')
    .replace(/(?<=[^aiosu])s$|(?<=(?:s|x|ch|sh|o))es$/, '')
  const root = singular.replace(/(?<=[aeiouy][a-z]*[a-z])(?:ing|ed)$/, '')
  const single = root === singular ? root : root.replace(/([bdgklmnprt])\1$/, '$1')
  return single.length < 3 ? singular : single.replace(/(?<=[a-z]{2})(?:ie|e|y|i)$/, '')
}
