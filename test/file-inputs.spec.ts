import { describe, expect, it } from 'vitest'
import { letStart, withWaitingJob } from './support/consumer.ts'
import { contentOf, inLedger, loseContent } from './support/control.ts'
import { expectStatus, newTenant, TEXT, type Tenant } from './support/tenant.ts'
import { type Content, filesOf, isGoing, uploaded } from './support/uploads.ts'
import { until } from './support/wait.ts'

const summarizeFile = (fileId: string, more: object = {}) => ({
  kind: 'summarize',
  input: { file_id: fileId },
  ...more,
})
const other = 'The bank raised its interest rates. Loans became dearer for everybody who had one.'

async function outputOf(tenant: Tenant, job: object) {
  const { id } = await tenant.submitted(job)
  expect(await tenant.ended(id)).toMatchObject({ status: 'succeeded' })
  return (await tenant.result(id)).output
}

describe('a job whose input is a file', () => {
  it('gives what the same text in its place gives', async () => {
    const acme = await newTenant()
    const [file, bank] = [await uploaded(acme, TEXT), await uploaded(acme, `\uFEFF${other}`)]
    const labels = ['rights', 'money']
    const asFile = { title: 'Rights', file_id: file.id }
    const asText = { title: 'Rights', text: TEXT }
    const pairs = [
      [summarizeFile(file.id), { kind: 'summarize', input: { text: TEXT } }],
      [
        { kind: 'classify', input: { file_id: bank.id, labels } },
        { kind: 'classify', input: { text: other, labels } },
      ],
      [
        { kind: 'report', input: { sources: [asFile, { title: 'Bank', text: other }, asFile] } },
        { kind: 'report', input: { sources: [asText, { title: 'Bank', text: other }, asText] } },
      ],
    ] as const

    for (const [withFile, withText] of pairs)
      expect(await outputOf(acme, withFile)).toEqual(await outputOf(acme, withText))
  })

  it.each<[string, Content]>([
    ['application/json', JSON.stringify([TEXT, other])],
    ['application/x-ndjson', `${JSON.stringify(TEXT)}\r\n${JSON.stringify(other)}\n`],
    ['text/plain', `${TEXT}\n\n${other}`],
  ])('of texts to embed is read as %s', async (type, content) => {
    const acme = await newTenant()
    const file = await uploaded(acme, content, type)

    const output = await outputOf(acme, { kind: 'embed', input: { file_id: file.id } })

    expect(output).toEqual(await outputOf(acme, { kind: 'embed', input: { texts: [TEXT, other] } }))
  })

  it.each([
    ['blank', ' \n\t', 'text/plain', 'summarize', 'invalid_input'],
    ['longer than its kind takes', 'a'.repeat(500_001), 'text/plain', 'summarize', 'input_too_large'],
    ['no list of texts', '{"texts":"no"}', 'application/json', 'embed', 'invalid_input'],
    ['no JSON', '["cut', 'application/json', 'embed', 'invalid_input'],
    ['too many texts', 'a line\n'.repeat(257), 'text/plain', 'embed', 'input_too_large'],
  ])('that is %s fails for good', async (_, content, type, kind, failure) => {
    const acme = await newTenant()
    const file = await uploaded(acme, content, type)
    const { id } = await acme.submitted({ kind, input: { file_id: file.id } })

    expect(await acme.ended(id)).toMatchObject({ status: 'failed', attempts: 1, error: { class: failure } })
  })

  it('whose bytes were lost is tried again, and fails as our own fault', async () => {
    const acme = await newTenant()
    const file = await uploaded(acme, TEXT)
    for (const key of await contentOf(acme.id)) await loseContent(key)
    const { id } = await acme.submitted(summarizeFile(file.id))

    expect(await acme.ended(id)).toMatchObject({
      status: 'failed',
      attempts: 3,
      error: { class: 'internal', retryable: true },
    })
  })
})

describe('a job is refused with a pointer', () => {
  it('for a file that is unknown, foreign, deleted or expired', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const foreign = await uploaded(globex, TEXT)
    const deleted = await uploaded(acme, TEXT)
    await expectStatus(204, acme.client.delete(`/v1/files/${deleted.id}`))
    const expired = await uploaded(acme, TEXT, 'text/plain', '?retention_seconds=0')

    for (const id of ['file_x', foreign.id, deleted.id, expired.id]) {
      const { body } = await expectStatus(400, acme.submit(summarizeFile(id)))
      expect(body.errors).toEqual([{ pointer: '/input/file_id', detail: 'There is no such file.' }])
    }
    expect(await inLedger(acme.id, 'select id from jobs')).toEqual([])
  })

  it('for each file that it names in vain', async () => {
    const acme = await newTenant()
    const { id } = await uploaded(acme, TEXT)
    const sources = ['file_x', id, 'file_y'].map((fileId, at) => ({ title: `${at}`, file_id: fileId }))

    const { body } = await expectStatus(400, acme.submit({ kind: 'report', input: { sources } }))

    expect(body.errors.map(({ pointer }) => pointer)).toEqual([
      '/input/sources/0/file_id',
      '/input/sources/2/file_id',
    ])
  })

  it.each<[string, Content, string, object, RegExp]>([
    ['sound to summarize', 'OggS........', 'audio/ogg', { kind: 'summarize' }, /reads text.*audio\/ogg/],
    [
      'text to transcribe',
      TEXT,
      'text/plain',
      { kind: 'transcribe', model: 'test/slow' },
      /reads audio.*text\/plain/,
    ],
    [
      'more bytes than its kind can read',
      'a'.repeat(2_000_004),
      'text/plain',
      { kind: 'summarize' },
      /^Too large/,
    ],
  ])('for %s', async (_, content, type, job, detail) => {
    const acme = await newTenant()
    const { id } = await uploaded(acme, content, type)

    const { body } = await expectStatus(400, acme.submit({ ...job, input: { file_id: id } }))

    expect(body.errors).toEqual([{ pointer: '/input/file_id', detail: expect.stringMatching(detail) }])
  })

  it('but a repetition of one that was accepted is answered again, whatever became of the file', async () => {
    const acme = await newTenant()
    const file = await uploaded(acme, TEXT)
    const first = await expectStatus(202, acme.submit(summarizeFile(file.id), 'one-key'))
    await acme.ended(first.body.id)
    await expectStatus(204, acme.client.delete(`/v1/files/${file.id}`))

    const again = await expectStatus(202, acme.submit(summarizeFile(file.id), 'one-key'))

    expect(again.body.id).toBe(first.body.id)
    await expectStatus(400, acme.submit(summarizeFile(file.id), 'another-key'))
  })
})

/** A job that waits for its start, with its file. */
async function withWaitingFile() {
  const { acme } = await withWaitingJob()
  const file = await uploaded(acme, TEXT)
  const { id } = await acme.submitted(summarizeFile(file.id))
  return { acme, id, fileId: file.id }
}

describe('a file that a job uses', () => {
  it('is gone at once when deleted, but the job still gets its bytes, and they go when it ends', async () => {
    const { acme, id, fileId } = await withWaitingFile()
    const [row] = await filesOf(acme)

    await expectStatus(204, acme.client.delete(`/v1/files/${fileId}`))

    await expectStatus(404, acme.get(`/v1/files/${fileId}`))
    await expectStatus(404, acme.client.delete(`/v1/files/${fileId}`))
    await expectStatus(400, acme.submit(summarizeFile(fileId)))
    expect(await isGoing(acme, row?.ref)).toBe(false)
    await letStart(acme)
    expect(await acme.ended(id)).toMatchObject({ status: 'succeeded', attempts: 1 })
    expect(await filesOf(acme)).toEqual([])
    expect(await isGoing(acme, row?.ref)).toBe(true)
  })

  it('may be deleted while the job runs, and is kept for its next attempt', async () => {
    const acme = await newTenant()
    const file = await uploaded(acme, TEXT)
    const { id } = await acme.submitted(summarizeFile(file.id, { model: 'test/slow' }))
    await acme.reached(id, 'running')

    await expectStatus(204, acme.client.delete(`/v1/files/${file.id}`))

    expect(await filesOf(acme)).toHaveLength(1)
    expect(await acme.ended(id)).toMatchObject({ status: 'succeeded' })
    expect(await filesOf(acme)).toEqual([])
  })

  it('goes when the last of several jobs is cancelled', async () => {
    const { acme, id, fileId } = await withWaitingFile()
    const { id: second } = await acme.submitted(summarizeFile(fileId))
    await expectStatus(204, acme.client.delete(`/v1/files/${fileId}`))

    await expectStatus(200, acme.cancel(id))
    expect(await filesOf(acme)).toHaveLength(1)

    await expectStatus(200, acme.cancel(second))
    expect(await filesOf(acme)).toEqual([])
  })

  it('outlives its expiry for as long as the content of a job needs it', async () => {
    const { acme, id, fileId } = await withWaitingFile()
    await inLedger(acme.id, 'update files set expires_at = ?, due_at = ?', Date.now(), Date.now())

    await expectStatus(404, acme.get(`/v1/files/${fileId}`))
    const [row] = await until('the file was looked at', async () => {
      const rows = await filesOf(acme)
      return rows[0] && rows[0].due_at > rows[0].expires_at && rows
    })
    expect(row?.due_at).toBeGreaterThan(Date.now() + 30_000)
    await letStart(acme)
    expect(await acme.ended(id)).toMatchObject({ status: 'succeeded' })
    expect(await filesOf(acme)).toHaveLength(1)
    await inLedger(acme.id, 'delete from content_refs')
    await inLedger(acme.id, 'update files set due_at = ?', Date.now())
    await acme.submitted()
    await until('the file goes', async () => (await filesOf(acme)).length === 0)
  })

  it('that nobody used goes at its expiry without a call', async () => {
    const acme = await newTenant()
    await uploaded(acme, TEXT, 'text/plain', '?retention_seconds=1')

    await until('the file goes', async () => (await filesOf(acme)).length === 0)
  })
})
