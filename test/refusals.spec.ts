import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectNothingStored, postRaw } from './support/raw-jobs.ts'
import { newTenant, summarizeJob, TEXT, type Tenant } from './support/tenant.ts'

let acme: Tenant
beforeAll(async () => {
  acme = await newTenant()
})

const post = (raw: string, contentType?: string) => postRaw(acme, raw, contentType)
const nothingStored = () => expectNothingStored(acme)

describe('a job request', () => {
  it.each([
    ['an unknown field', summarizeJob({ colour: 'red' }), '/colour'],
    [
      'an unknown field in its input',
      { kind: 'summarize', input: { text: TEXT, lang: 'en' } },
      '/input/lang',
    ],
    ['an unknown parameter', summarizeJob({ params: { words: 10 } }), '/params/words'],
    ['a text of another type', { kind: 'summarize', input: { text: 5 } }, '/input/text'],
    ['no input', { kind: 'summarize' }, '/input'],
    ['an empty text', { kind: 'summarize', input: { text: '' } }, '/input/text'],
    ['a text of white space', { kind: 'summarize', input: { text: ' \n\t　' } }, '/input/text'],
    [
      'a text over the limit of its kind',
      { kind: 'summarize', input: { text: 'a'.repeat(500_001) } },
      '/input/text',
    ],
    ['too many texts', { kind: 'embed', input: { texts: Array(257).fill('a') } }, '/input/texts'],
    [
      'labels that are not distinct',
      { kind: 'classify', input: { text: 'a', labels: ['x', 'x'] } },
      '/input/labels',
    ],
    ['a limit below the smallest', summarizeJob({ params: { max_words: 9 } }), '/params/max_words'],
    ['an unknown kind', { kind: 'translate', input: { text: TEXT } }, '/kind'],
    ['no kind', { input: { text: TEXT } }, '/kind'],
    ['an unknown model', summarizeJob({ model: 'acme/none' }), '/model'],
    ['a model that cannot do the kind', summarizeJob({ model: 'embedded/hash-1' }), '/model'],
    ['a file that does not exist', { kind: 'summarize', input: { file_id: 'file_x' } }, '/input/file_id'],
    ['a deadline below five seconds', summarizeJob({ deadline_seconds: 4 }), '/deadline_seconds'],
    ['too many pairs of metadata', summarizeJob({ metadata: pairs(17) }), '/metadata'],
    ['a priority that does not exist', summarizeJob({ priority: 'urgent' }), '/priority'],
    ['null for an optional field', summarizeJob({ model: null }), '/model'],
  ])('with %s is refused with a pointer', async (_, job, pointer) => {
    const { status, body, headers } = await acme.submit(job)

    expect(headers.get('Content-Type')).toBe('application/problem+json')
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: 'https://api.gateway.test/problems/invalid-request', status: 400 })
    expect(body.errors.map(({ pointer }) => pointer)).toContain(pointer)
    await nothingStored()
  })

  it('for a model that cannot do the kind says unsupported_kind', async () => {
    const { body } = await acme.submit(summarizeJob({ model: 'embedded/hash-1' }))

    expect(body.errors[0]?.detail).toMatch(/^unsupported_kind/)
  })

  it('is refused with every wrong place named', async () => {
    const { body } = await acme.submit({ kind: 'summarize', input: { text: '' }, one: 1, two: 2 })

    const pointers = body.errors.map(({ pointer }) => pointer)
    expect(pointers.sort()).toEqual(['/input/text', '/one', '/two'])
    expect(body.error_count).toBe(3)
  })

  it.each([
    ['malformed JSON', '{"kind": ', 'application/json', 400, 'invalid-request'],
    ['an empty body', '', 'application/json', 400, 'invalid-request'],
    ['a JSON array', '[]', 'application/json', 400, 'invalid-request'],
    ['another content type', '{}', 'text/plain', 415, 'unsupported-media-type'],
    ['a form', 'kind=summarize', 'application/x-www-form-urlencoded', 415, 'unsupported-media-type'],
    [
      'a body over 1 MiB',
      JSON.stringify({ kind: 'x'.repeat(1024 * 1024) }),
      'application/json',
      413,
      'payload-too-large',
    ],
  ])('of %s is a problem', async (_, raw, contentType, status, slug) => {
    const answer = await post(raw, contentType)

    expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
    expect([answer.status, answer.body.type]).toEqual([status, `https://api.gateway.test/problems/${slug}`])
    expect(answer.body.request_id).toBe(answer.headers.get('X-Request-Id'))
    await nothingStored()
  })

  it('never comes back in the refusal', async () => {
    const secret = `secret-${randomUUID()}`

    const answers = [
      await acme.submit({ kind: secret, input: { text: TEXT } }),
      await acme.submit(summarizeJob({ priority: secret })),
      await acme.submit(summarizeJob({ model: secret })),
      await post(`{"text": "${secret}`),
    ]

    for (const { status, body } of answers) {
      expect(status).toBe(400)
      expect(JSON.stringify(body)).not.toContain(secret)
    }
  })

  it('for a test model is refused to a tenant without test models', async () => {
    const plain = await newTenant({ test_models: false })

    const { status, body } = await plain.submit(summarizeJob({ model: 'test/slow' }))

    expect([status, body.errors[0]?.pointer]).toEqual([400, '/model'])
  })
})

describe('a list', () => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=', 'cursor'],
    ['status=done', 'status'],
    ['kind=translate', 'kind'],
    ['created_after=yesterday', 'created_after'],
    ['metadata=novalue', 'metadata'],
    ['colour=red', 'colour'],
  ])('with ?%s is refused with the parameter named', async (query, parameter) => {
    const { status, body } = await acme.get(`/v1/jobs?${query}`)

    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ parameter }] })
  })
})

describe('a path', () => {
  it('that does not exist is a problem', async () => {
    const { status, body } = await acme.get('/v1/nothing')

    expect([status, body.type]).toEqual([404, 'https://api.gateway.test/problems/not-found'])
  })

  it.each([
    ['PUT', '/v1/jobs', 'POST, GET, HEAD'],
    ['DELETE', '/v1/jobs', 'POST, GET, HEAD'],
    ['POST', '/v1/jobs/job_x/result', 'GET, HEAD'],
    ['GET', '/oauth/token', 'POST'],
  ])('%s %s is answered with the methods it has', async (method, path, allowed) => {
    const { status, headers } = await acme.client.request(method, path)

    expect([status, headers.get('Allow')?.split(', ').sort()]).toEqual([405, allowed.split(', ').sort()])
  })
})

function pairs(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']))
}
