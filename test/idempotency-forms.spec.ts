import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { request } from './support/client.ts'
import { inLedger } from './support/control.ts'
import { type RawRequest, rawRequest } from './support/raw-http.ts'
import { expectNothingStored } from './support/raw-jobs.ts'
import { expectStatus, newTenant, summarizeJob, type Tenant } from './support/tenant.ts'

const TYPE = 'Content-Type: application/json'
const lengthOf = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`
const jobsOf = ({ id }: Tenant) => inLedger(id, 'select id from jobs')

const submitRaw = ({ client }: Tenant, { lines = [], ...rest }: RawRequest) =>
  rawRequest({ lines: [`Authorization: Bearer ${client.token}`, ...lines], ...rest })

describe('a request under a key is the same as before', () => {
  const KEY = 'once-and-again'
  const body =
    '{"kind":"summarize","input":{"text":"A. B."},"deadline_seconds":60,"max_cost_usd":0,"metadata":{"a":"b","c":"d"}}'
  const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

  let acme: Tenant
  let id: string
  beforeAll(async () => {
    acme = await newTenant()
    const first = await submitRaw(acme, { lines: [TYPE, `Idempotency-Key: ${KEY}`, lengthOf(body)], body })
    expect([first.status, first.headers.get('Idempotency-Replayed')]).toEqual([202, null])
    id = first.body.id
  })

  it.each<[string, string]>([
    [
      'with its members in another order',
      '{"metadata":{"c":"d","a":"b"},"max_cost_usd":0,"deadline_seconds":60,"input":{"text":"A. B."},"kind":"summarize"}',
    ],
    ['with other white space', ` \r\n\t${body.replaceAll(':', ' :\n ').replaceAll(',', ',\t')}\n`],
    ['with 60.0 for 60', body.replace('60', '60.0')],
    ['with 6e1 for 60', body.replace('60', '6e1')],
    ['with -0 for 0', body.replace('usd":0', 'usd":-0')],
    ['with 0.0e9 for 0', body.replace('usd":0', 'usd":0.0e9')],
    ['with a letter in an escape', body.replace('A. B.', '\\u0041. B.')],
    ['with a name in an escape', body.replace('"kind"', '"\\u006bind"')],
    ['behind a byte order mark', `\uFEFF${body}`],
  ])('%s', async (_, other) => {
    const replay = await submitRaw(acme, {
      lines: [TYPE, `Idempotency-Key: ${KEY}`, lengthOf(other)],
      body: other,
    })

    expect([replay.status, replay.body.id]).toEqual([202, id])
    expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
    expect(await jobsOf(acme)).toHaveLength(1)
  })

  it.each<[string, string[]]>([
    ['with its key in quotes', [TYPE, `Idempotency-Key: "${KEY}"`]],
    ['with white space around its key', [TYPE, `Idempotency-Key:  \t ${KEY} \t `]],
    ['with the header in capitals', [TYPE, `IDEMPOTENCY-KEY: ${KEY}`]],
    ['with the header in small letters', [TYPE, `idempotency-key:${KEY}`]],
    [
      'with its type spelt otherwise',
      ['content-type: Application/JSON;charset="UTF-8"', `Idempotency-Key: ${KEY}`],
    ],
    [
      'with a preference, a trace and an ID of its own',
      [
        TYPE,
        `Idempotency-Key: ${KEY}`,
        'Prefer: respond-async, wait=10',
        'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        'X-Request-Id: again',
      ],
    ],
  ])('%s', async (_, lines) => {
    const replay = await submitRaw(acme, { lines: [...lines, lengthOf(body)], body })

    expect([replay.status, replay.body.id, replay.headers.get('Idempotency-Replayed')]).toEqual([
      202,
      id,
      'true',
    ])
  })

  it('in chunks, without a length', async () => {
    const lines = [TYPE, `Idempotency-Key: ${KEY}`, 'Transfer-Encoding: chunked']

    const replay = await submitRaw(acme, { lines, body: chunked(body) })

    expect([replay.status, replay.body.id]).toEqual([202, id])
  })

  it.each<[string, string]>([
    ['in a letter', body.replace('A. B.', 'A. b.')],
    ['in a number', body.replace('60', '61')],
    ['in a space', body.replace('"b"', '"b "')],
    ['by a default that is named', body.replace('"kind"', '"priority":"normal","kind"')],
  ])('but not one that differs %s', async (_, other) => {
    const answer = await submitRaw(acme, {
      lines: [TYPE, `Idempotency-Key: ${KEY}`, lengthOf(other)],
      body: other,
    })

    expect([answer.status, answer.body.type]).toEqual([
      422,
      expect.stringMatching(/\/idempotency-key-reused$/),
    ])
    expect(await jobsOf(acme)).toHaveLength(1)
  })
})

describe('the Idempotency-Key header is refused, and nothing stored,', () => {
  let acme: Tenant
  beforeAll(async () => {
    acme = await newTenant()
  })

  it.each<[string, string[]]>([
    ['in two lines', ['Idempotency-Key: a', 'Idempotency-Key: b']],
    ['in two lines that say the same', ['Idempotency-Key: a', 'Idempotency-Key: a']],
    ['in two lines, one of them empty', ['Idempotency-Key: a', 'Idempotency-Key:']],
    ['in two lines of different case, in quotes', ['Idempotency-Key: "a"', 'idempotency-key: "a"']],
    ['that is empty', ['Idempotency-Key:']],
    ['that is white space', ['Idempotency-Key:  \t ']],
    ['that is empty in quotes', ['Idempotency-Key: ""']],
    ['of 256 characters', [`Idempotency-Key: ${'k'.repeat(256)}`]],
    ['of 256 characters in quotes', [`Idempotency-Key: "${'k'.repeat(256)}"`]],
    ['of 60,000 characters', [`Idempotency-Key: ${'k'.repeat(60_000)}`]],
    ['with a comma', ['Idempotency-Key: a,b']],
    ['with a comma in quotes', ['Idempotency-Key: "a,b"']],
    ['with parameters', ['Idempotency-Key: "k";a=1']],
    ['with white space inside', ['Idempotency-Key: a b']],
    ['with white space inside its quotes', ['Idempotency-Key: " a "']],
    ['with an escape', ['Idempotency-Key: "a\\"b"']],
    ['in a form of the structured fields that is no string', ['Idempotency-Key: :YQ==:']],
    ['of Unicode', ['Idempotency-Key: schlüssel']],
    ['of an emoji', ['Idempotency-Key: 🔑']],
    ['that is percent-encoded', ['Idempotency-Key: a%20b']],
  ])('%s', async (_, lines) => {
    const body = JSON.stringify(summarizeJob())

    const answer = await submitRaw(acme, { lines: [...lines, TYPE, lengthOf(body)], body })

    expect([answer.status, answer.body.type]).toEqual([
      400,
      expect.stringMatching(/\/idempotency-key-invalid$/),
    ])
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
    await expectNothingStored(acme)
  })

  it.each(['Idempotency_Key', 'X-Idempotency-Key', 'IdempotencyKey', 'Idempotency-Keys'])(
    'as if it were not there, when it is called %s',
    async (name) => {
      const body = JSON.stringify(summarizeJob())

      const answer = await submitRaw(acme, { lines: [`${name}: a`, TYPE, lengthOf(body)], body })

      expect([answer.status, answer.body.type]).toEqual([
        400,
        expect.stringMatching(/\/idempotency-key-required$/),
      ])
      await expectNothingStored(acme)
    },
  )
})

describe('an Idempotency-Key', () => {
  it('of any form is nothing to requests that use none', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/hangs' }))
    const headers = { 'Idempotency-Key': 'not a key' }

    const { client } = acme
    const answers = [
      await client.get('/v1/jobs', headers),
      await client.request('HEAD', `/v1/jobs/${id}`, { headers }),
      await client.post('/v1/jobs/estimate', summarizeJob(), headers),
      await client.post('/v1/jobs/estimate', summarizeJob({ priority: 'low' }), headers),
      await client.request('DELETE', `/v1/jobs/${id}`, { headers }),
    ]
    const token = await request('POST', '/oauth/token', {
      headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
      raw: 'grant_type=client_credentials&client_id=a&client_secret=b',
    })

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 204])
    expect(token.body).toMatchObject({ error: 'invalid_client' })
    for (const answer of answers) expect(answer.headers.get('Idempotency-Replayed')).toBeNull()
  })

  it('is another one on another path', async () => {
    const acme = await newTenant()
    const key = randomUUID()
    const held = summarizeJob({ model: 'test/hangs' })
    const ids = [(await acme.submit(held, key)).body.id, (await acme.submitted(held)).id]

    const answers = await Promise.all(
      ids.map((id) =>
        acme.client.request('POST', `/v1/jobs/${id}/cancel`, { headers: { 'Idempotency-Key': key } }),
      ),
    )

    expect(answers.map(({ status, body }) => [status, body.id, body.status])).toEqual(
      ids.map((id) => [200, id, 'cancelled']),
    )
    for (const { headers } of answers) expect(headers.get('Idempotency-Replayed')).toBeNull()
  })

  it('replays a batch of megabytes, and tells one letter in it', async () => {
    const acme = await newTenant()
    const text = 'All human beings are born free and equal. '.repeat(150)
    const batch = (last: string) => ({
      kind: 'embed',
      model: 'test/batch-stuck',
      items: Array.from({ length: 600 }, (_, at) => ({
        external_reference: `item-${at}`,
        input: { texts: [`${text}${at === 599 ? last : at}`] },
      })),
    })
    const submit = (last: string) =>
      acme.client.post('/v1/batches', batch(last), { 'Idempotency-Key': 'large' })

    const first = await expectStatus(202, submit('a'))
    const [replay, other] = [await submit('a'), await submit('b')]

    expect(JSON.stringify(batch('a')).length).toBeGreaterThan(3_500_000)
    expect([replay.status, replay.body, replay.headers.get('Location')]).toEqual([
      202,
      first.body,
      first.headers.get('Location'),
    ])
    expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
    expect([other.status, other.body.type]).toEqual([422, expect.stringMatching(/\/idempotency-key-reused$/)])
    expect(await inLedger(acme.id, 'select id from batches')).toHaveLength(1)
    await expectStatus(200, acme.client.request('POST', `/v1/batches/${first.body.id}/cancel`))
  })
})
