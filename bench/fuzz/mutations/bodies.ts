/** Changes to a body's bytes: what no JSON library would write. */
import type { Chance } from '../../chaos/chance.ts'
import type { Draft } from '../compose.ts'
import { deep } from './values.ts'

const encoder = new TextEncoder()
const HUGE_BYTES = 33 * 1024 * 1024
const LARGE_BYTES = 5 * 1024 * 1024

type Spoil = (text: string, chance: Chance) => string | Uint8Array

const spoils: Readonly<Record<string, Spoil>> = {
  'cut short': (text, chance) => text.slice(0, chance.between(0, text.length)),
  'a member twice': (text) => text.replace('{', '{"kind":"summarize","kind":"embed",'),
  __proto__: (text) => text.replace('{', '{"__proto__":{"admin":true},'),
  '1e400': (text) =>
    text.replace(/\d+|\{/, (found) => (found === '{' ? '{"deadline_seconds":1e400,' : '1e400')),
  'half a character': (text) => text.replace(/"([^"]+)"(?=[,}])/, '"$1\\ud800"'),
  'nesting without end': deep,
  'nesting inside': (text) => text.replace(/:/, `:${deep()},"more":`),
  'a byte order mark': (text) => `\uFEFF${text}`,
  'not UTF-8': (text) => Buffer.concat([encoder.encode(text), new Uint8Array([0xff, 0xc3, 0x28])]),
  'UTF-16': (text) => Buffer.from(text, 'utf16le'),
  nothing: () => '',
  'white space': () => ' \n ',
  'a bare null': () => 'null',
  'a bare text': () => '"text"',
  'a bare list': () => '[]',
  'single quotes': (text) => text.replaceAll('"', "'"),
  'a trailing comma': (text) => text.replace(/}$/, ',}'),
  NaN: (text) => text.replace(/:\s*[^,}]+/, ':NaN'),
  'a control character': (text) => text.replace(/":"/, '":"\u0001'),
  'a form': () => 'kind=summarize&input=text',
  'two documents': (text) => `${text}\n${text}`,
  '5 MiB': (text) => text + ' '.repeat(LARGE_BYTES),
}

export function spoilBody(draft: Draft, chance: Chance): void {
  const name = chance.pick(Object.keys(spoils))
  const text = typeof draft.body === 'string' ? draft.body : JSON.stringify(draft.body ?? {})
  draft.body = spoils[name]?.(text, chance)
  draft.story.push(`body: ${name}`)
}

/** Rare, for it takes long. */
export function hugeBody(draft: Draft): void {
  draft.body = Buffer.alloc(HUGE_BYTES, 'a')
  draft.story.push('body: 33 MiB')
}

export function breakOff(draft: Draft): void {
  draft.framing = 'cut'
  draft.story.push('broken off')
}

export function inChunks(draft: Draft): void {
  draft.framing = 'chunked'
  draft.story.push('in chunks')
}
