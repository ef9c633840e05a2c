import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer, Client } from './support/client.ts'
import { inDirectory, inLedger } from './support/control.ts'
import { expectStatus, newTenant, operator, type Tenant } from './support/tenant.ts'

const DEPTH = 10_000
const deepList = '['.repeat(DEPTH) + ']'.repeat(DEPTH)
const deepObject = `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`

/** The smallest body of each route that reads one, with more members. */
const bodies = {
  '/v1/jobs': (more: string) => `{"kind":"summarize","input":{"text":"A. B."}${more}}`,
  '/v1/jobs/estimate': (more: string) => `{"kind":"summarize","input":{"text":"A. B."}${more}}`,
  '/v1/batches': (more: string) =>
    `{"kind":"embed","items":[{"external_reference":"a","input":{"texts":["a"]}}]${more}}`,
  '/v1/webhook_endpoints': (more: string) => `{"url":"https://hooks.acme.com/ai"${more}}`,
  '/ops/v1/tenants': (more: string) => `{"id":"bad-input","reason":"a spec"${more}}`,
} as const
type Path = keyof typeof bodies

let acme: Tenant
let ops: Client
beforeAll(async () => {
  acme = await newTenant()
  ops = await operator()
})

const post = (path: Path, raw: string, { client } = acme): Promise<Answer> =>
  (path.startsWith('/ops') ? ops : client).request('POST', path, {
    raw,
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
  })

async function expectNothingStored() {
  const tables = ['jobs', 'batches', 'webhook_endpoints', 'idempotency_keys', 'spend']
  const counts = tables.map((table) => `(select count(*) from ${table})`)
  expect(await inLedger(acme.id, `select ${counts.join(' + ')} as rows`)).toEqual([{ rows: 0 }])
  expect(await inDirectory("select id from tenants where id = 'bad-input'")).toEqual([])
}

async function expectRefused(path: Path, raw: string, place: { pointer: string; detail?: string }) {
  const { status, body, headers } = await post(path, raw)

  expect([status, body.type]).toEqual([400, 'https://api.gateway.test/problems/invalid-request'])
  expect(headers.get('Content-Type')).toBe('application/problem+json')
  expect(body.errors).toContainEqual(expect.objectContaining(place))
  expect(JSON.stringify(body).length).toBeLessThan(5000)
}

const TWICE = 'This name is there twice.'
const NOT_ALLOWED = 'This name is not allowed.'
const HALF = 'Not well-formed Unicode: half of a surrogate pair.'
const NO_JSON = 'Not valid JSON.'

describe('a JSON body is refused, and nothing stored,', () => {
  it.each<[string, Path, string, string, string?]>([
    ['with a member twice', '/v1/jobs', ',"priority":"low","priority":"high"', '/priority', TWICE],
    ['with its kind twice', '/v1/jobs/estimate', ',"kind":"embed"', '/kind', TWICE],
    ['with the same member twice', '/v1/batches', ',"kind":"embed"', '/kind', TWICE],
    [
      'with a name twice, once in an escape',
      '/v1/webhook_endpoints',
      ',"\\u0075rl":"https://a.com"',
      '/url',
      TWICE,
    ],
    ['with a name of its own twice', '/v1/jobs', ',"metadata":{"a":"b","a":"c"}', '/metadata/a', TWICE],
    ['with a reason twice', '/ops/v1/tenants', ',"reason":"another"', '/reason', TWICE],
    ['with __proto__', '/v1/jobs', ',"metadata":{"__proto__":"x"}', '/metadata/__proto__', NOT_ALLOWED],
    [
      'with __proto__ in escapes',
      '/v1/jobs',
      ',"metadata":{"\\u005f_proto_\\u005F":"x"}',
      '/metadata/__proto__',
      NOT_ALLOWED,
    ],
    [
      'with __proto__ as it stands',
      '/ops/v1/tenants',
      ',"__proto__":{"limits":{}}',
      '/__proto__',
      NOT_ALLOWED,
    ],
    [
      'with __proto__ among limits',
      '/ops/v1/tenants',
      ',"limits":{"__proto__":{}}',
      '/limits/__proto__',
      NOT_ALLOWED,
    ],
    ['with a constructor', '/v1/jobs', ',"constructor":{"prototype":{}}', '/constructor', 'Unknown field.'],
    ['with half of a character in a value', '/v1/jobs', ',"metadata":{"a":"b\\ud800"}', '/metadata/a', HALF],
    [
      'with half of a character in a name',
      '/v1/jobs',
      ',"metadata":{"\\udfff":"a"}',
      '/metadata/\uFFFD',
      HALF,
    ],
    [
      'with two halves in the wrong order',
      '/v1/webhook_endpoints',
      ',"description":"\\udc00\\ud800"',
      '/description',
      HALF,
    ],
    ['with half of a character in a reason', '/ops/v1/tenants', ',"x":"\\ud800"', '/x', HALF],
    ['with 1e400', '/v1/jobs', ',"deadline_seconds":1e400', '/deadline_seconds'],
    ['with -1e400', '/v1/jobs', ',"max_cost_usd":-1e400', '/max_cost_usd'],
    ['with 1e400 for a limit', '/ops/v1/tenants', ',"limits":{"max_running":1e400}', '/limits/max_running'],
    ['with 1e-400 where one is the least', '/v1/batches', ',"deadline_seconds":1e-400', '/deadline_seconds'],
    [
      'with a whole number beyond all',
      '/v1/jobs',
      `,"retention_seconds":${'9'.repeat(400)}`,
      '/retention_seconds',
    ],
    [
      'with a whole number of 30 digits',
      '/v1/webhook_endpoints',
      `,"max_per_second":${'1'.repeat(30)}`,
      '/max_per_second',
    ],
    ['with 2^53 + 1', '/v1/jobs', ',"deadline_seconds":9007199254740993', '/deadline_seconds'],
    ['with a fraction of a second', '/v1/jobs', ',"deadline_seconds":60.5', '/deadline_seconds'],
    ['with a number as a text', '/v1/jobs', ',"deadline_seconds":"60"', '/deadline_seconds'],
    ['with a number for a text', '/v1/jobs', ',"metadata":{"a":1}', '/metadata/a'],
    ['with NaN', '/v1/jobs', ',"deadline_seconds":NaN', '', NO_JSON],
    ['with a leading zero', '/v1/jobs', ',"deadline_seconds":060', '', NO_JSON],
    ['with a comma at its end', '/v1/jobs', ',', '', NO_JSON],
    ['with a comment', '/v1/jobs', '/* a */', '', NO_JSON],
    ['with a NUL that is not in an escape', '/v1/jobs', ',"metadata":{"a":"\u0000"}', '', NO_JSON],
    ['with a NUL in a version', '/v1/jobs', ',"processing_version":"1\\u0000"', '/processing_version'],
    ['with a NUL in a model', '/v1/jobs', ',"model":"embedded/extract-1\\u0000"', '/model', 'Unknown model.'],
    ['with a NUL in a header', '/v1/webhook_endpoints', ',"headers":{"X-A":"b\\u0000c"}', '/headers/X-A'],
    [
      'with a name of half a megabyte',
      '/v1/jobs',
      `,"metadata":{"${'n'.repeat(500_000)}":"v"}`,
      `/metadata/${'n'.repeat(128)}…`,
    ],
    ['nested without end in a list for a field', '/v1/jobs', `,"metadata":${deepList}`, '/metadata'],
    ['nested without end in metadata', '/v1/jobs', `,"metadata":{"a":${deepList}}`, '/metadata/a'],
    [
      'nested without end in parameters',
      '/v1/jobs',
      `,"params":${deepObject}`,
      '/params/a',
      'Unknown field.',
    ],
    ['nested without end in an unknown field', '/v1/batches', `,"x":${deepObject}`, '/x', 'Unknown field.'],
    [
      'nested without end in limits',
      '/ops/v1/tenants',
      `,"limits":${deepObject}`,
      '/limits/a',
      'Unknown field.',
    ],
    [
      'nested without end in event types',
      '/v1/webhook_endpoints',
      `,"event_types":${deepList}`,
      '/event_types/0',
    ],
  ])('%s: POST %s', async (_, path, more, pointer, detail) => {
    await expectRefused(path, bodies[path](more), { pointer, ...(detail !== undefined && { detail }) })
  })

  it.each<[string, string, string]>([
    ['a list without end', deepList, 'Must be of type object.'],
    ['an object without end', deepObject, 'Unknown field.'],
    ['a list without its end', deepList.slice(0, -1), NO_JSON],
    ['an object without its end', deepObject.slice(0, -1), NO_JSON],
    ['two objects', `${bodies['/ops/v1/tenants']('')}{}`, NO_JSON],
    ['an object that lacks its end', bodies['/ops/v1/tenants']('').slice(0, -1), NO_JSON],
    ['two byte order marks', `\uFEFF\uFEFF${bodies['/ops/v1/tenants']('')}`, NO_JSON],
    ['white space', ' \n', NO_JSON],
    ['a text', '"a"', 'Must be of type object.'],
    ['a number', '1e400', 'Must be of type object.'],
    ['null', 'null', 'Must be of type object.'],
    ['a half escape', '{"id":"\\u00"}', NO_JSON],
  ])('that is %s', async (_, raw, detail) => {
    const { status, body } = await post('/ops/v1/tenants', raw)

    expect([status, body.errors.map((error) => error.detail)]).toEqual([
      400,
      expect.arrayContaining([detail]),
    ])
  })

  it('whatever of these it was', expectNothingStored)
})

describe('a JSON body', () => {
  it('may have NULs, names of what every object has, and numbers however spelt', async () => {
    const other = await newTenant()
    const metadata = { 'a\u0000b': 'c\u0000d', constructor: 'x', toString: '__proto__', 'a"b.c': '$' }
    const more = `,"metadata":${JSON.stringify(metadata)},"deadline_seconds":6.0e1,"max_cost_usd":-0,"retention_seconds":1E-400`

    const { body } = await expectStatus(202, post('/v1/jobs', bodies['/v1/jobs'](more), other))

    const query = encodeURIComponent('a\u0000b:c\u0000d')
    const { data } = (await expectStatus(200, other.get(`/v1/jobs?metadata=${query}`))).body
    expect(data.map(({ id }) => id)).toEqual([body.id])
    expect((await other.get(`/v1/jobs/${body.id}`)).body).toMatchObject({ metadata })
    expect(Date.parse(body.deadline_at) - Date.parse(body.created_at)).toBe(60_000)
  })

  it('keeps a NUL in what is only described', async () => {
    const more = ',"description":"a\\u0000b","metadata":{"\\u0000":"\\u0000"}'
    const other = await newTenant()

    const { body } = await expectStatus(
      201,
      post('/v1/webhook_endpoints', bodies['/v1/webhook_endpoints'](more), other),
    )

    const { secret: _, ...endpoint } = body
    expect(endpoint).toMatchObject({ description: 'a\u0000b', metadata: { '\u0000': '\u0000' } })
    expect((await other.get(`/v1/webhook_endpoints/${body.id}`)).body).toEqual(endpoint)
  })

  it('of an operator may have NULs, which the audit log keeps', async () => {
    const id = `t-${randomUUID()}`
    const reason = 'a\u0000b'

    await expectStatus(201, ops.post('/ops/v1/tenants', { id, reason }))

    expect(await inDirectory('select reason from audit_log where target = ?', id)).toEqual([{ reason }])
  })
})
