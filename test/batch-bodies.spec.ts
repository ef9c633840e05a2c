import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { batchOf, embedBatch, endedBatch, submittedBatch } from './support/batches.ts'
import { request } from './support/client.ts'
import { contentOf, inLedger } from './support/control.ts'
import { newTenant, type Tenant } from './support/tenant.ts'
import { type Content, latin1 } from './support/uploads.ts'

const MEGABYTE = 1024 * 1024
const whole = JSON.stringify(embedBatch(1))
const withInput = (input: string) => `{"kind":"embed","items":[{"external_reference":"a","input":${input}}]}`

const post = ({ client }: Tenant, path: string, raw: Content, contentType = 'application/json') =>
  client.request('POST', path, {
    raw,
    headers: { 'Idempotency-Key': randomUUID(), ...(contentType && { 'Content-Type': contentType }) },
  })

describe.concurrent('the body of a batch', () => {
  it.each([
    ['is text', 415, whole, 'text/plain'],
    ['is in another character set', 415, whole, 'application/json; charset=utf-16'],
    ['is no JSON', 400, '{"kind":"embed","items":['],
    ['is empty', 400, ''],
    ['is null', 400, 'null'],
    ['is a list', 400, '[]'],
    ['is not UTF-8', 400, latin1(withInput('{"texts":["caf\xe9"]}'))],
    ['has a name that parsers fight over', 400, withInput('{"texts":["a"],"__proto__":{}}')],
    ['has half of a character', 400, withInput('{"texts":["\\ud800"]}')],
    [
      'is nested without end',
      400,
      `{"kind":"embed","metadata":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ],
    ['has more than 4 MiB', 413, `${whole}${' '.repeat(4 * MEGABYTE)}`],
  ] as const)('that %s is refused with %i, for an estimate too', async (_, status, raw, type?: string) => {
    const acme = await newTenant()

    const answers = [
      await post(acme, '/v1/batches', raw, type),
      await post(acme, '/v1/batches/estimate', raw, type),
    ]

    expect(answers.map((answer) => answer.status)).toEqual([status, status])
    for (const { headers } of answers) expect(headers.get('Content-Type')).toBe('application/problem+json')
    expect(await contentOf(acme.id)).toEqual([])
    expect(
      await inLedger(acme.id, 'select id from batches union all select key_hash from idempotency_keys'),
    ).toEqual([])
  })

  it('is not read for those who may not send one', async () => {
    const headers = { 'Content-Type': 'application/json' }

    const { status } = await request('POST', '/v1/batches', { raw: 'x'.repeat(5 * MEGABYTE), headers })

    expect(status).toBe(401)
  })

  it('is refused by what takes none, or another', async () => {
    const acme = await newTenant()
    const open = await submittedBatch(acme, embedBatch(1, { model: 'test/batch-stuck' }))
    const { id } = await submittedBatch(acme)
    await endedBatch(acme, id)
    const statusOf = async (action: string, raw: string) =>
      (await post(acme, `/v1/batches/${action}`, raw)).status

    for (const raw of ['{"a":1}', '{bad', '[]', 'null']) {
      expect(await statusOf(`${open.id}/cancel`, raw), raw).toBe(400)
      expect(await statusOf(`${id}/discard`, raw), raw).toBe(400)
    }
    for (const raw of ['', '{}', '{"mode":"all"}', '{"mode":"incomplete_only","items":[]}', '[]', '{bad'])
      expect(await statusOf(`${id}/rerun`, raw), raw).toBe(400)
    expect(await statusOf(`${id}/rerun`, `{"mode":"incomplete_only"}${' '.repeat(MEGABYTE)}`)).toBe(413)
    expect(await batchOf(acme, id)).toMatchObject({ status: 'completed' })
    expect(await statusOf(`${open.id}/cancel`, '{}')).toBe(200)
  })
})
