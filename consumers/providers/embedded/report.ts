/**
 * Reports put together from their sources: a section for each, and after every sentence the number of the
 * source it was taken from. What comes from a source is shown as it reads, and cannot act as Markdown or
 * HTML.
 */
import { countWords, localeOf } from '../../../catalog/words.ts'
import { pickSentences } from './summarize.ts'

type Source = { title: string; text: string }
type Options = { title?: string | undefined; max_words?: number | undefined }
type Report = { markdown: string; citations: { source: number; title: string }[] }

const DEFAULT_WORDS_PER_SOURCE = 120

/**
 * Markdown with a section per source, in order, and a citation for each. `max_words` bounds the cited
 * sentences of all sources together (120 a source when not given); titles and citations are not counted.
 */
export function report(sources: Source[], options: Options): Report {
  const budgets = share(options.max_words ?? DEFAULT_WORDS_PER_SOURCE * sources.length, sources)
  const title = inline(options.title ?? '') || defaultTitle(sources)
  const sections = sources.map((source, at) => section(source, at + 1, budgets[at] ?? 1))
  return {
    markdown: `${[`# ${title}`, ...sections].join('\n\n')}\n`,
    citations: sources.map((source, at) => ({ source: at + 1, title: source.title })),
  }
}

function section({ title, text }: Source, number: number, max_words: number): string {
  const claims = pickSentences(text, { max_words }).map((sentence) => `${quoted(sentence)} [${number}]`)
  return [`## ${inline(title) || number}`, claims.join(' ')].filter(Boolean).join('\n\n')
}

/** Equal shares, save that what a short source leaves goes to the longer ones; one word each at the least. */
function share(words: number, sources: Source[]): number[] {
  const needs = sources
    .map(({ text }, at) => ({ at, need: countWords(text, words) }))
    .sort((a, b) => a.need - b.need)
  const shares: number[] = []
  let left = words
  needs.forEach(({ at, need }, rank) => {
    const given = Math.max(1, Math.min(need, Math.floor(left / (needs.length - rank))))
    shares[at] = given
    left -= given
  })
  return shares
}

function defaultTitle(sources: Source[]): string {
  return localeOf(sources.map(({ title }) => title).join(' ')) === 'ja' ? 'レポート' : 'Report'
}

/** Text as it reads, on one line. */
function inline(text: string): string {
  return unmarked(text.replace(/\s*[\n\r\u2028\u2029]\s*/g, ' ').trim())
}

/**
 * A sentence with its own line wraps, no line of which can start a list, a heading, a quotation or a table.
 */
function quoted(sentence: string): string {
  const blockStart = /^([ \t]*)([-+=>|:]|#(?=#*\s)|\d{1,9}(?=[.)](?:\s|$)))/gm
  return unmarked(sentence).replace(blockStart, (_, indent: string, mark: string) =>
    /\d/.test(mark) ? `${indent}${mark}\\` : `${indent}\\${mark}`,
  )
}

function unmarked(text: string): string {
  return text.replace(/[\\`*~[<]|(?<![\p{L}\d])_|_(?![\p{L}\d])|&(?=#?\w+;)|(?<=\s)#+$/gu, '\\$&')
}
