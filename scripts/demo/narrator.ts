/** How the demo speaks: numbered steps, what was sent, what came back, why it matters. */
import { styleText } from 'node:util'

const WIDTH = 100
let steps = 0

export const stepsTold = () => steps

export function step(title: string): void {
  steps += 1
  console.log(`\n${styleText('bold', `${String(steps).padStart(2)}  ${title}`)}`)
}

export const sent = (text: string) => console.log(`    → ${text}`)
export const got = (text: string) => console.log(`    ← ${text}`)
export const note = (text: string) => print(text, '      ')
export const why = (text: string) => print(text, '    ', (line) => styleText('dim', line))

/** Words of the content itself. */
export const quote = (text: string) => print(text, '      │ ')

function print(text: string, margin: string, style = (line: string) => line): void {
  for (const line of text.split('\n').flatMap((paragraph) => wrap(paragraph, WIDTH - margin.length)))
    console.log(margin + style(line.trimEnd()))
}

/** A word, cut where it is longer than most lines; or one character of a script without spaces. */
const pieces =
  /\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,40}|\s+/gu

function wrap(text: string, width: number): string[] {
  const lines: string[] = ['']
  for (const piece of text.match(pieces) ?? []) {
    if (columns(lines.at(-1) + piece) > width) lines.push(piece.trimStart())
    else lines[lines.length - 1] += piece
  }
  return lines
}

/** Characters from the far side of U+2E80 on are two columns wide. */
const columns = (text: string) => [...text].reduce((sum, one) => sum + (one > '\u2e80' ? 2 : 1), 0)
