import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { contentOf } from './support/control.ts'
import { expectStatus, newTenant, TEXT } from './support/tenant.ts'
import {
  bytesOf,
  type Content,
  filesOf,
  isGoing,
  latin1,
  rawUpload,
  upload,
  uploaded,
  wav,
} from './support/uploads.ts'
import { until } from './support/wait.ts'

const sha256 = (content: Content) => createHash('sha256').update(content).digest('hex')

describe('an upload', () => {
  it('gets 201 with what is known of the file, under a URL where it can be read at once', async () => {
    const acme = await newTenant()

    const { body, headers } = await expectStatus(201, upload(acme, TEXT))

    expect(body).toEqual({
      id: expect.stringMatching(/^file_[0-9a-z]{28}$/),
      object: 'file',
      content_type: 'text/plain',
      bytes: TEXT.length,
      sha256: sha256(TEXT),
      created_at: expect.any(String),
      content_expires_at: expect.any(String),
    })
    expect(Date.parse(body.content_expires_at) - Date.parse(body.created_at)).toBe(86_400_000)
    expect(headers.get('Location')).toBe(`https://api.gateway.test/v1/files/${body.id}`)
    expect((await expectStatus(200, acme.get(`/v1/files/${body.id}`))).body).toEqual(body)
  })

  it('lies in R2 under its tenant, the hour and its ID', async () => {
    const acme = await newTenant()
    const hour = () => Math.floor(Date.now() / 3_600_000)
    const before = hour()
    const { id } = await uploaded(acme, TEXT)

    const hours = [before, hour()].map((at) => `t/${acme.id}/file/${at}/${id}`)
    expect(hours).toContain((await contentOf(acme.id)).join())
  })

  it('is kept as long as asked for', async () => {
    const acme = await newTenant()

    const { created_at, content_expires_at } = await uploaded(
      acme,
      TEXT,
      'text/plain',
      '?retention_seconds=2592000',
    )

    expect(Date.parse(content_expires_at) - Date.parse(created_at)).toBe(2_592_000_000)
  })

  it.each([
    ['plain text with a charset', 'text/plain; charset=UTF-8', 'text/plain', TEXT],
    ['JSON', 'application/json', 'application/json', '["not parsed here'],
    ['NDJSON', 'Application/X-NDJSON', 'application/x-ndjson', '"a"\n"b"\n'],
    ['sound', 'audio/wav', 'audio/wav', wav],
    ['sound with parameters', 'audio/ogg; codecs=opus', 'audio/ogg', latin1('OggS\x00\x02\x00\x00')],
  ])('of %s is taken', async (_, type, contentType, content) => {
    const acme = await newTenant()

    expect(await uploaded(acme, content, type)).toMatchObject({
      content_type: contentType,
      bytes: content.length,
      sha256: sha256(content),
    })
  })

  it('of several megabytes comes whole', async () => {
    const acme = await newTenant()
    const content = Uint8Array.from([...wav.slice(0, 12), ...randomBytes(3_000_001)])

    const { bytes, sha256: digest } = await uploaded(acme, content, 'audio/x-wav')

    expect([bytes, digest]).toEqual([content.byteLength, sha256(content)])
  })

  it('of text whose characters are cut by the parts that it comes in is UTF-8 nevertheless', async () => {
    const acme = await newTenant()
    const text = new TextEncoder().encode('人間は自由である')
    const headers = { 'Content-Type': 'text/plain', 'Content-Length': String(text.byteLength) }

    const answer = await rawUpload(acme, headers, [text.slice(0, 4), text.slice(4, 8), text.slice(8)])

    expect(answer).toMatch(/^HTTP\/1.1 201 /)
    await expectStatus(201, upload(acme, 'あ'.repeat(400_000)))
  })

  it('counts as one request, refused or not', async () => {
    const acme = await newTenant()
    const left = async (answer: ReturnType<typeof upload>) =>
      Number(/r=(\d+)/.exec((await answer).headers.get('RateLimit') ?? '')?.[1])

    const first = await left(upload(acme, TEXT))

    expect(await left(upload(acme, TEXT))).toBe(first - 1)
    expect(await left(upload(acme, TEXT, { type: 'text/html' }))).toBe(first - 2)
    expect(await left(upload(acme, bytesOf(0xff)))).toBe(first - 3)
  })

  it('over the rate is refused as such, whatever else is wrong with it', async () => {
    const acme = await newTenant({ requests_per_minute: 1 })
    await uploaded(acme, TEXT)

    await expectStatus(429, upload(acme, TEXT))
    await expectStatus(429, upload(acme, TEXT, { type: 'text/html' }))
    expect(await contentOf(acme.id)).toHaveLength(1)
  })
})

describe('an upload under a key', () => {
  it('that is sent again gets the first answer again', async () => {
    const acme = await newTenant()
    const key = { 'Idempotency-Key': randomUUID() }
    const first = await expectStatus(201, upload(acme, TEXT, { headers: key }))

    const again = await expectStatus(201, upload(acme, TEXT, { headers: key }))

    expect(again.body).toEqual(first.body)
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
    expect(again.headers.get('Location')).toBe(first.headers.get('Location'))
    expect(first.headers.get('Idempotency-Replayed')).toBe(null)
    expect(await filesOf(acme)).toHaveLength(1)
  })

  it.each([
    ['other bytes', `${TEXT}!`, ''],
    ['another query', TEXT, '?retention_seconds=60'],
  ])('that came with %s before is refused', async (_, content, query) => {
    const acme = await newTenant()
    const headers = { 'Idempotency-Key': randomUUID() }
    await expectStatus(201, upload(acme, TEXT, { headers }))

    const { body } = await expectStatus(422, upload(acme, content, { query, headers }))

    expect(body.type).toBe('https://api.gateway.test/problems/idempotency-key-reused')
    expect(await filesOf(acme)).toHaveLength(1)
  })

  it('that was refused may be sent again with what is right', async () => {
    const acme = await newTenant()
    const headers = { 'Idempotency-Key': randomUUID() }
    await expectStatus(400, upload(acme, bytesOf(0x61, 0xff), { headers }))

    await expectStatus(201, upload(acme, TEXT, { headers }))
  })
})

describe('a file', () => {
  it('of another tenant, unknown or malformed, is not found', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const { id } = await uploaded(globex, TEXT)

    for (const unknown of [id, `${id.slice(0, -4)}zzzz`, 'file_x', '%00'])
      for (const method of ['GET', 'DELETE'])
        await expectStatus(404, acme.client.request(method, `/v1/files/${unknown}`))
    await expectStatus(200, globex.get(`/v1/files/${id}`))
  })

  it('that was deleted is gone at once, and its bytes with it', async () => {
    const acme = await newTenant()
    const { id } = await uploaded(acme, TEXT)
    const [row] = await filesOf(acme)

    const { body } = await expectStatus(204, acme.client.delete(`/v1/files/${id}`))

    expect(body).toBe(null)
    await expectStatus(404, acme.get(`/v1/files/${id}`))
    await expectStatus(404, acme.client.delete(`/v1/files/${id}`))
    expect(await filesOf(acme)).toEqual([])
    expect(await isGoing(acme, row?.ref)).toBe(true)
  })

  it('that has expired is not found, and goes', async () => {
    const acme = await newTenant()
    const { id } = await uploaded(acme, TEXT, 'text/plain', '?retention_seconds=0')

    await expectStatus(404, acme.get(`/v1/files/${id}`))
    await expectStatus(404, acme.client.delete(`/v1/files/${id}`))
    await until('the file goes', async () => (await filesOf(acme)).length === 0)
  })
})
