/** Changes to headers. */
import type { Chance } from '../../chaos/chance.ts'
import { CANARY } from '../canary.ts'
import type { Draft } from '../compose.ts'

const LONG = 9 * 1024

/** As they come from clients that mean well, mean ill, or do not know. */
const values: Readonly<Record<string, readonly string[]>> = {
  'Content-Type': [
    '',
    'application/json; charset=utf-16',
    'APPLICATION/JSON',
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, application/json',
    'application/pdf',
    'audio/mpeg',
    ';',
  ],
  'Idempotency-Key': [
    '',
    '""',
    '"quoted"',
    'bare',
    'a,b',
    '"a", "b"',
    '__proto__',
    'a'.repeat(255),
    'a'.repeat(256),
    'with space',
    '\u00e9',
    `"${CANARY}`,
    'k;a=1',
    '"k";a=1',
  ],
  'X-Request-Id': ['', 'a'.repeat(128), 'a'.repeat(129), 'a b', '../..', CANARY, '\u00ff', '{"a":1}'],
  Prefer: [
    'wait',
    'wait=',
    'wait=-1',
    'wait=1',
    'wait=99999999999',
    'respond-async, wait=1',
    'wait="1"',
    'wait=1;x="',
  ],
  'If-None-Match': ['*', '"', 'W/"', 'W/"1-ended"', '"a", "b"', ',,,', 'a'.repeat(5000)],
  Accept: ['text/html', 'application/xml;q=1', '*/*;q=0', ';;;', ''],
  'Content-Encoding': ['gzip', 'br', 'identity'],
  Expect: ['100-continue'],
  Range: ['bytes=0-1', 'bytes=-'],
  'X-HTTP-Method-Override': ['DELETE'],
  Origin: ['https://evil.example'],
  Cookie: ['a=b; '.repeat(200)],
  traceparent: ['00-', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`, 'ff-zz'],
  'X-Forwarded-Host': ['evil.example'],
}

const authorizations: Readonly<Record<string, (present: string) => string>> = {
  'no scheme': (present) => present.replace(/^Bearer /, ''),
  'another scheme': (present) => present.replace(/^Bearer/, 'Basic'),
  'small letters': (present) => present.replace(/^Bearer/, 'bearer'),
  empty: () => '',
  'a scheme alone': () => 'Bearer ',
  'cut short': (present) => present.slice(0, -5),
  longer: (present) => `${present}${'a'.repeat(LONG)}`,
  'another signature': (present) => present.replace(/.{20}$/, 'A'.repeat(20)),
  'a text': () => `Bearer ${CANARY}.${CANARY}.${CANARY}`,
}

export function changeHeader(draft: Draft, chance: Chance): void {
  const name = chance.pick(Object.keys(values))
  const value = chance.pick(values[name] ?? [])
  if (chance.happens(0.85)) drop(draft, name)
  draft.headers.push([name, value])
  draft.story.push(`header ${name}`)
}

export function changeAuthorization(draft: Draft, chance: Chance): void {
  const [, present = ''] = draft.headers.find(([name]) => name === 'Authorization') ?? []
  const how = chance.pick([...Object.keys(authorizations), 'none', 'twice'])
  if (how !== 'twice') drop(draft, 'Authorization')
  if (how !== 'none') draft.headers.push(['Authorization', authorizations[how]?.(present) ?? present])
  draft.story.push(`authorization: ${how}`)
}

/** Valid, but for the other API. */
export function changeAudience(draft: Draft, other: string): void {
  drop(draft, 'Authorization')
  draft.headers.push(['Authorization', other])
  draft.story.push("authorization: the other API's")
}

function drop(draft: Draft, name: string): void {
  draft.headers = draft.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase())
}
