import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { request } from './support/client.ts'
import { contentOf } from './support/control.ts'
import { expectNothingStored, postRaw } from './support/raw-jobs.ts'
import { newTenant, type Tenant } from './support/tenant.ts'

let acme: Tenant
beforeAll(async () => {
  acme = await newTenant()
})

const post = (raw: string, contentType?: string) => postRaw(acme, raw, contentType)
const nothingStored = () => expectNothingStored(acme)

describe('a body', () => {
  const bytes = (text: string, ...more: number[]) => Buffer.concat([Buffer.from(text), Buffer.from(more)])
  const send = (body: Buffer, contentType = 'application/json') =>
    fetch(new URL('/v1/jobs', inject('stack').url), {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${acme.client.token}`,
        'Content-Type': contentType,
        'Idempotency-Key': randomUUID(),
      },
      body,
    })

  it('that is not UTF-8 is refused instead of being stored with other characters', async () => {
    const answer = await send(bytes('{"kind":"summarize","input":{"text":"ab', 0xff, 0xfe, 0x22, 0x7d, 0x7d))

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ errors: [{ pointer: '', detail: 'Not UTF-8.' }] })
    await nothingStored()
  })

  it('may hold the replacement character itself', async () => {
    const other = await newTenant()

    expect(
      (await other.submit({ kind: 'summarize', input: { text: 'A \uFFFD came with the text.' } })).status,
    ).toBe(202)
  })

  it.each([
    ['{"url":"https://example.com/","description":"a\\ud800b"}', '/description'],
    ['{"url":"https://example.com/","metadata":{"a":"\\uDC00"}}', '/metadata/a'],
    ['{"url":"https://example.com/","metadata":{"\\ud83d":"a"}}', '/metadata/\uFFFD'],
  ])('with half of a character is refused (%s)', async (raw, pointer) => {
    const headers = { 'Content-Type': 'application/json' }

    const { status, body } = await acme.client.request('POST', '/v1/webhook_endpoints', { raw, headers })

    expect([status, body.errors]).toEqual([
      400,
      [{ pointer, detail: 'Not well-formed Unicode: half of a surrogate pair.' }],
    ])
  })

  it('may spell a character as two escapes', async () => {
    const raw = '{"url":"https://example.com/","description":"\\ud83d\\ude00"}'
    const headers = { 'Content-Type': 'application/json' }

    const { status, body } = await acme.client.request('POST', '/v1/webhook_endpoints', { raw, headers })

    expect([status, body]).toEqual([201, expect.objectContaining({ description: '\u{1F600}' })])
  })

  it('is refused by a request that takes none', async () => {
    const other = await newTenant()
    const { id } = await other.submitted({ kind: 'summarize', input: { text: 'A.' }, model: 'test/hangs' })
    const cancel = (raw: string, key?: string) =>
      other.client.request('POST', `/v1/jobs/${id}/cancel`, {
        raw,
        headers: { 'Content-Type': 'application/json', ...(key && { 'Idempotency-Key': key }) },
      })

    for (const raw of ['{"a":1}', '{bad', '[]', 'null', '"a"'])
      expect((await cancel(raw)).status, raw).toBe(400)
    expect((await cancel('{"a":1}', 'once')).body.errors).toEqual([
      { pointer: '', detail: 'This request takes no body.' },
    ])
    expect((await cancel('{}')).status).toBe(200)
  })

  it('of another character set is refused', async () => {
    expect((await send(bytes('{}'), 'application/json; charset=utf-16')).status).toBe(415)
    expect((await send(bytes('{}'), 'application/json; charset=UTF-8')).status).toBe(400)
  })

  it('with a member named __proto__ is refused by name', async () => {
    const answer = await post(
      `{"kind":"summarize","input":{"text":"a"},"metadata":{"__proto__":"x","a":"b"}}`,
    )

    expect([answer.status, answer.body.errors[0]?.pointer]).toEqual([400, '/metadata/__proto__'])
  })

  it('over the limit is refused for its size only to those who may send one', async () => {
    const headers = { 'Content-Type': 'application/json' }

    const { status } = await request('POST', '/v1/jobs', { raw: 'x'.repeat(1_100_000), headers })

    expect(status).toBe(401)
  })

  it('with many bad texts names those, and not another form of the input', async () => {
    const { body } = await acme.submit({ kind: 'embed', input: { texts: Array(256).fill('') } })

    expect(body.errors).toHaveLength(100)
    expect(body.error_count).toBe(256)
    expect(body.errors[99]?.pointer).toBe('/input/texts/99')
  })

  it('with large content is not stored when the job is refused', async () => {
    const full = await newTenant({ max_backlog: 1, jobs_per_minute: 1 })
    const first = await full.submitted()
    await full.ended(first.id)
    await full.submitted()
    const job = { kind: 'summarize', input: { text: `${randomUUID()} `.repeat(2000) } }

    const refused = await full.submit(job)
    const objects = await contentOf(full.id)

    expect([refused.status, objects]).toEqual([429, []])
  })
})

describe('a body that is nested without end', () => {
  it.each(['"__proto__"', '{"__proto__":1}', '1'])(
    'around %s is refused, and nothing breaks',
    async (core) => {
      const acme = await newTenant()
      const raw = `{"kind":"summarize","input":{"text":${'['.repeat(200_000)}${core}${']'.repeat(200_000)}}}`
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'deep' }

      expect((await acme.client.request('POST', '/v1/jobs', { raw, headers })).status).toBe(400)
    },
  )
})
