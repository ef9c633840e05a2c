/** Changes to method, path and query. */
import type { Chance } from '../../chaos/chance.ts'
import { CANARY } from '../canary.ts'
import type { Draft } from '../compose.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']

const paths: Readonly<Record<string, (path: string) => string>> = {
  'a slash at its end': (path) => `${path}/`,
  'two slashes': (path) => path.replace(/(?<=.)\/(?=[^/]*$)/, '//'),
  'dot segments': (path) => path.replace(/\/(?=[^/]*$)/, '/../v1/./'),
  'encoded dot segments': (path) => path.replace(/\/(?=[^/]*$)/, '/%2e%2e/'),
  'an encoded slash': (path) => path.replace(/(?<=.)\/(?=[^/]*$)/, '%2F'),
  'an encoded slash in its last part': (path) => `${path}%2Fjobs`,
  'a null byte': (path) => `${path}%00`,
  'a broken escape': (path) => `${path}%ZZ`,
  'overlong UTF-8': (path) => `${path}%C0%AF`,
  capitals: (path) => path.toUpperCase(),
  'a last part of its own': (path) => path.replace(/[^/]*$/, CANARY),
  'a long last part': (path) => path.replace(/[^/]*$/, 'a'.repeat(6000)),
  'a poisoned last part': (path) => path.replace(/[^/]*$/, '__proto__'),
  'a semicolon': (path) => `${path};jsessionid=1`,
  'a more': (path) => `${path}/more`,
  'a number': (path) => path.replace(/[^/]*$/, '1'),
  'characters beyond ASCII': (path) => path.replace(/[^/]*$/, encodeURIComponent('日本語👍')),
}

const queries: readonly [name: string, value: string][] = [
  ['limit', '0'],
  ['limit', '101'],
  ['limit', '1e2'],
  ['limit', '-1'],
  ['limit', '1.0'],
  ['limit', ''],
  ['limit', CANARY],
  ['limit', '9'.repeat(400)],
  ['cursor', CANARY],
  ['cursor', 'AAAA'],
  ['cursor', 'a'.repeat(600)],
  ['cursor', 'eyJhIjoxfQ'],
  ['status', 'nothing'],
  ['status[]', 'failed'],
  ['status', 'failed,succeeded'],
  ['kind', '__proto__'],
  ['metadata', ':'],
  ['metadata', 'order:4711'],
  ['created_after', '2026-13-01T00:00:00Z'],
  ['created_after', '1'],
  ['after', 'evt_'],
  ['types', 'job.*,*'],
  ['batch_id', 'batch_'],
  ['access_token', 'a.b.c'],
  ['unknown', CANARY],
  ['__proto__', '1'],
  ['constructor', '1'],
  ['', ''],
]

export function changeMethod(draft: Draft, chance: Chance): void {
  draft.method = chance.pick(methods)
  draft.story.push(`method ${draft.method}`)
}

export function changePath(draft: Draft, chance: Chance): void {
  const name = chance.pick(Object.keys(paths))
  draft.path = paths[name]?.(draft.path) ?? draft.path
  draft.story.push(`path: ${name}`)
}

export function changeQuery(draft: Draft, chance: Chance): void {
  const [name, value] = chance.pick(queries)
  if (chance.happens(0.5)) draft.query = draft.query.filter(([one]) => one !== name)
  draft.query.push([name, value])
  draft.story.push(`query ${name}`)
}
