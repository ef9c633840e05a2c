/** The guides as Markdown, which is their source, and as the pages that the gateway serves. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked, Renderer } from 'marked'
import { type GuideName, guidePath, guides } from '../../gateway/pages/guides.ts'
import { page } from '../../gateway/pages/page.ts'
import { blocksOf } from './blocks.ts'

const root = join(import.meta.dirname, '../..')

export const markdownOf = (file: string) => readFileSync(join(root, file), 'utf8')
export const guideFiles = guides.map(({ name }) => `docs/${name}.md`)
/** For those who run the service, whose samples are run like those of the guides. They are not served. */
export const operatorGuideFiles = ['docs/deploy.md', 'docs/runbook.md']

/** Where the pages lie, below the folder that is served. */
export const siteFolder = join(root, 'gateway/assets/docs/guides')

/** What is to lie there, by file name: a page for each guide, and the programs that stand in one to be saved. */
export function siteFiles(): Map<string, string> {
  const files = new Map<string, string>()
  for (const { name, title } of guides) {
    const markdown = markdownOf(`docs/${name}.md`)
    files.set(`${name}.html`, page(title, htmlOf(markdown), navigation(name)))
    for (const { fate, code } of blocksOf(markdown)) if (fate.kind === 'saved') files.set(fate.as, code)
  }
  return files
}

const navigation = (current: GuideName) =>
  guides
    .map(
      ({ name, title }) =>
        `<a href="${guidePath(name)}"${name === current ? ' aria-current="page"' : ''}>${title}</a>`,
    )
    .join('\n')

const renderer = new Renderer()
const { table, link } = renderer
renderer.table = (head, body) => `<div class="table">${table.call(renderer, head, body)}</div>`
renderer.listitem = (text, task) => `<li${task ? ' class="task"' : ''}>${text}</li>\n`
renderer.link = (href, title, text) =>
  link.call(renderer, href?.replace(/^([\w-]+)\.md/, '/docs/guides/$1') ?? null, title, text)
renderer.html = () => ''

const htmlOf = (markdown: string) => marked.parse(markdown, { renderer, mangle: false, headerIds: true })
