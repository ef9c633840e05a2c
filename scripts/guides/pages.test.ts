import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failures } from '../../ledger/failure.ts'
import { failureClasses } from '../../openapi/job-words.ts'
import { problemCatalog } from '../../openapi/problems.ts'
import { markdownOf, siteFiles, siteFolder } from './pages.ts'

const root = join(import.meta.dirname, '../..')
const withoutCode = (markdown: string) =>
  markdown.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, '').replaceAll(/`[^`\n]*`/g, '')

/** As they are named in addresses: by GitHub, and in our pages. */
const anchorsOf = (markdown: string) =>
  Array.from(markdown.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

function isAlive(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? from : relative(root, join(root, dirname(from), path))
  if (globSync(file, { cwd: root }).length === 0) return false
  return anchor === undefined || anchorsOf(markdownOf(file)).includes(anchor)
}

/** The rows of a table that begin with a code, as what stands in their cells. */
const rowsOf = (markdown: string) =>
  Array.from(markdown.matchAll(/^\| (`[\w-]+` .*)\|$/gm), ([, row = '']) =>
    row.split('|').map((cell) => cell.trim()),
  )

describe('the pages of the guides', () => {
  it('are those that the Markdown makes', () => {
    const made = siteFiles()

    expect(readdirSync(siteFolder).sort()).toEqual(Array.from(made.keys()).sort())
    for (const [name, text] of made)
      expect(readFileSync(join(siteFolder, name), 'utf8') === text, `${name}: run npm run site`).toBe(true)
  })

  it('have all that their links lead to', () => {
    const made = siteFiles()
    const links = Array.from(made.values()).flatMap((text) =>
      Array.from(text.matchAll(/href="\/docs\/guides\/([\w-]+)(?:#([\w-]+))?"/g)),
    )

    expect(links.length).toBeGreaterThan(50)
    for (const [link, name, anchor] of links)
      expect([link, made.get(`${name}.html`)]).toEqual([
        link,
        expect.stringContaining(anchor ? `id="${anchor}"` : '<h1'),
      ])
  })
})

describe('links', () => {
  it.each(['README.md', ...globSync('docs/*.md', { cwd: root }).sort()])('of %s are alive', (file) => {
    const links = Array.from(
      withoutCode(markdownOf(file)).matchAll(/\]\(([^)]+)\)/g),
      ([, link = '']) => link,
    )

    expect(links.filter((link) => !/^https?:/.test(link) && !isAlive(file, link))).toEqual([])
  })
})

describe('the guide to errors', () => {
  const rows = rowsOf(markdownOf('docs/errors.md'))

  it('has each problem with its status', () => {
    const told = rows
      .filter(([, status = '']) => /^\d{3}$/.test(status))
      .map(([slug, status]) => [slug, Number(status)])

    const known = Object.entries(problemCatalog).map(([slug, { status }]) => [`\`${slug}\``, status])
    expect(told.sort()).toEqual(known.sort())
  })

  it('has each class of failure as it is dealt with', () => {
    const told = rows
      .filter(([, , retryable = '']) => /^(?:yes|no)$/.test(retryable))
      .map((row) => row.slice(0, 3))

    const times = (count: number) => ['once', 'twice'][count - 1] ?? `${count} times`
    const known = failureClasses.map((name) => {
      const { attempts, retryable } = failures[name]
      return [`\`${name}\``, times(attempts), retryable ? 'yes' : 'no']
    })
    expect(told.filter(([, tried = '']) => !/^\d{3}$/.test(tried)).sort()).toEqual(known.sort())
  })
})
