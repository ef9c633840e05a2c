import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { request } from './support/client.ts'
import { contentOf, inLedger } from './support/control.ts'
import { expectStatus, newClient, newTenant, TEXT, Tenant } from './support/tenant.ts'
import { bytesOf, type Content, filesOf, rawUpload, upload, wav } from './support/uploads.ts'

const MOST = 95 * 1024 * 1024

describe('an upload is refused, and nothing stored,', () => {
  let acme: Tenant
  beforeAll(async () => {
    acme = await newTenant()
  })

  const nothingStored = async () => {
    expect(await contentOf(acme.id)).toEqual([])
    expect(
      await inLedger(acme.id, 'select id from files union all select key_hash from idempotency_keys'),
    ).toEqual([])
  }

  it.each<[string, number, string, Content, string]>([
    ['for a PDF', 415, 'unsupported-media-type', '%PDF-1.7', 'application/pdf'],
    ['for a type of sound that is not known', 415, 'unsupported-media-type', 'MThd', 'audio/midi'],
    ['for a web page', 415, 'unsupported-media-type', TEXT, 'text/html'],
    ['for another charset', 415, 'unsupported-media-type', TEXT, 'text/plain; charset=iso-8859-1'],
    ['without a byte', 400, 'invalid-request', '', 'text/plain'],
    ['for a byte that is no UTF-8', 400, 'invalid-request', bytesOf(0x61, 0xff, 0x61), 'text/plain'],
    ['for a character cut at the end', 400, 'invalid-request', bytesOf(0x61, 0xe3, 0x81), 'text/plain'],
    ['for half a surrogate pair', 400, 'invalid-request', bytesOf(0xed, 0xa0, 0x80), 'application/json'],
    ['for an overlong character', 400, 'invalid-request', bytesOf(0xc0, 0xaf), 'application/x-ndjson'],
    ['for text that is called sound', 400, 'invalid-request', TEXT, 'audio/wav'],
    ['for sound of another type', 400, 'invalid-request', wav, 'audio/mpeg'],
    ['for sound that is cut too short to tell', 400, 'invalid-request', wav.slice(0, 8), 'audio/wav'],
  ])('%s', async (_, status, slug, content, type) => {
    const { body } = await expectStatus(
      status,
      upload(acme, content, { type, headers: { 'Idempotency-Key': randomUUID() } }),
    )

    expect(body.type).toBe(`https://api.gateway.test/problems/${slug}`)
    await nothingStored()
  })

  it('for a byte that is no UTF-8 after megabytes that are', async () => {
    const content = Uint8Array.from(Buffer.from('あ'.repeat(1_000_000)))
    content[2_999_999] = 0x20

    await expectStatus(400, upload(acme, content))
    await nothingStored()
  })

  it.each(['-1', '2592001', '1.5', 'a', ''])('for retention_seconds=%s', async (value) => {
    const { body } = await expectStatus(400, upload(acme, TEXT, { query: `?retention_seconds=${value}` }))

    expect(body.errors[0]?.parameter).toBe('retention_seconds')
    await nothingStored()
  })

  it('for a parameter that is not known', async () => {
    const { body } = await expectStatus(400, upload(acme, TEXT, { query: '?retention=60' }))

    expect(body.errors[0]?.parameter).toBe('retention')
    await nothingStored()
  })

  it('for a key that is none', async () => {
    const { body } = await expectStatus(400, upload(acme, TEXT, { headers: { 'Idempotency-Key': 'a b' } }))

    expect(body.type).toBe('https://api.gateway.test/problems/idempotency-key-invalid')
  })

  it('without a length', async () => {
    const headers = { 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' }

    const answer = await rawUpload(acme, headers, ['5\r\nhello\r\n', '0\r\n\r\n'])

    expect(answer).toMatch(/^HTTP\/1.1 411 /)
    expect(answer).toContain('/problems/length-required')
    await nothingStored()
  })

  /** The local front takes the whole body in before it hands an answer out. */
  it('over 95 MiB', { timeout: 300_000 }, async () => {
    const { body } = await expectStatus(413, upload(acme, new Uint8Array(MOST + 1).fill(0x61)))

    expect(body.type).toBe('https://api.gateway.test/problems/payload-too-large')
    await nothingStored()
  })

  it('when it breaks off before its length', async () => {
    const globex = await newTenant()
    const headers = { 'Content-Type': 'text/plain', 'Content-Length': '100' }
    const left = async () =>
      Number(/r=(\d+)/.exec((await globex.get('/v1/jobs')).headers.get('RateLimit') ?? '')?.[1])
    const before = await left()

    await rawUpload(globex, headers, [TEXT.slice(0, 60)], true)

    // One for looking, one for the upload: it did arrive.
    expect(await left()).toBe(before - 2)
    expect(await contentOf(globex.id)).toEqual([])
    expect(await filesOf(globex)).toEqual([])
  })

  it('without a token, or with one that may only read', async () => {
    const reader = await newClient(acme.id, ['jobs:read'])
    await expectStatus(
      401,
      request('POST', '/v1/files', { raw: TEXT, headers: { 'Content-Type': 'text/plain' } }),
    )

    const { headers } = await expectStatus(403, upload(new Tenant(acme.id, reader), TEXT))

    expect(headers.get('WWW-Authenticate')).toContain('jobs:write')
    await nothingStored()
  })
})
