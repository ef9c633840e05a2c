/**
 * The fenced blocks of a guide, and what becomes of each. `sh` is run, in one shell for the whole guide; a program is saved under the
 * name in its first line, for a later `sh` to run. A comment before the fence, which a rendered page does not show, says what else:
 * `<!-- answer -->`, what the `sh` before prints, with `…` for what varies; `<!-- not run: why -->`.
 */

export interface Block {
  /** Of the fence that opens it, from 1. */
  readonly line: number
  readonly language: string
  readonly code: string
  readonly fate: Fate
}

export type Fate =
  | { readonly kind: 'run' }
  | { readonly kind: 'saved'; readonly as: string }
  | { readonly kind: 'answer' }
  | { readonly kind: 'not run'; readonly why: string }

const fenced =
  /(?:^<!-- (?<comment>.*?) -->\n\n?)?^(?<fence>`{3,})(?<language>\w*)\n(?<code>[\s\S]*?)^\k<fence>$/gm
const programs = new Set(['ts', 'python', 'go', 'bash'])

export function blocksOf(markdown: string): Block[] {
  const indented = /^[ \t]+`{3,}/m.exec(markdown)
  if (indented) throw new Error(`An indented block would be passed over: ${indented[0]}.`)
  return Array.from(markdown.matchAll(fenced), (match) => {
    const { comment, fence = '', language = '', code = '' } = match.groups ?? {}
    const line = markdown.slice(0, match.index + match[0].indexOf(fence)).split('\n').length
    return { line, language, code, fate: fateOf(comment, language, code, line) }
  })
}

function fateOf(comment: string | undefined, language: string, code: string, line: number): Fate {
  const why = /^not run: (.{10,})$/.exec(comment ?? '')?.[1]
  if (why) return { kind: 'not run', why }
  if (comment === 'answer') return { kind: 'answer' }
  if (comment !== undefined) throw new Error(`The comment before the block in line ${line} has no meaning.`)
  if (language === 'sh') return { kind: 'run' }
  const as = programs.has(language) && /^(?:#!.*\n)?(?:\/\/|#) (\w[\w.-]*\.\w+)/.exec(code)?.[1]
  if (as) return { kind: 'saved', as }
  throw new Error(`The block in line ${line} is neither run nor marked.`)
}
