import { describe, expect, it } from 'vitest'
import { contentOf } from './support/control.ts'
import { expectStatus, newTenant, summarizeJob, TEXT } from './support/tenant.ts'

const japanese =
  'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられている。互いに同胞の精神をもって行動しなければならない。'

describe('a tenant submits a job', () => {
  it('gets 202 with a status URL under which the job can be read at once', async () => {
    const acme = await newTenant()

    const accepted = await expectStatus(202, acme.submit(summarizeJob({ metadata: { order: '4711' } })))

    expect(accepted.headers.get('Location')).toBe(accepted.body.status_url)
    expect(accepted.body).toMatchObject({ object: 'job', status: 'accepted', terminal: false, attempts: 0 })
    expect(await acme.job(accepted.body.id)).toMatchObject({
      id: accepted.body.id,
      metadata: { order: '4711' },
    })
  })

  it('finds the result once the job has run', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ params: { max_words: 15 } }))

    const job = await acme.ended(id)

    expect(job).toMatchObject({
      status: 'succeeded',
      terminal: true,
      attempts: 1,
      error: null,
      status_reason: null,
    })
    const { output, usage } = await acme.result(id)
    expect(TEXT).toContain(output.summary)
    expect(output.summary.split(' ').length).toBeLessThanOrEqual(15)
    expect(usage).toEqual(job.usage)
  })

  it('gets a Japanese summary of whole sentences within max_characters', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted({
      kind: 'summarize',
      input: { text: japanese },
      params: { max_characters: 60 },
    })
    await acme.ended(id)

    const { output } = await acme.result(id)

    expect([...output.summary].length).toBeLessThanOrEqual(60)
    expect(japanese).toContain(output.summary)
    expect(output.summary.endsWith('。')).toBe(true)
  })

  it('gets unit-length embeddings that put one subject closer together than two', async () => {
    const acme = await newTenant()
    const texts = [
      'The cat sat on the mat.',
      'A cat was sitting on a mat.',
      'Interest rates rose at the central bank.',
    ]
    const { id } = await acme.submitted({ kind: 'embed', input: { texts }, params: { dimensions: 128 } })
    await acme.ended(id)

    const { output } = await acme.result(id)

    const dot = (a: number[], b: number[]) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
    const [cat, alsoCat, bank] = output.embeddings as [number[], number[], number[]]
    expect(output.dimensions).toBe(128)
    expect(dot(cat, cat)).toBeCloseTo(1, 5)
    expect(dot(cat, alsoCat)).toBeGreaterThan(dot(cat, bank))
  })

  it('gets all labels with scores that sum to 1, best first', async () => {
    const acme = await newTenant()
    const input = {
      text: 'The bank raised interest rates on its loans.',
      labels: ['sports', 'banking', 'weather'],
    }
    const { id } = await acme.submitted({ kind: 'classify', input })
    await acme.ended(id)

    const { labels } = (await acme.result(id)).output

    expect(labels.map(({ label }) => label).sort()).toEqual(['banking', 'sports', 'weather'])
    expect(labels[0]?.label).toBe('banking')
    expect(labels.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1, 6)
  })

  it('gets a report with a section and a citation for each source', async () => {
    const acme = await newTenant()
    const sources = [
      { title: 'Dignity', text: TEXT },
      { title: '尊厳', text: japanese },
    ]
    const { id } = await acme.submitted({ kind: 'report', input: { sources }, params: { title: 'Rights' } })
    await acme.ended(id)

    const { markdown, citations } = (await acme.result(id)).output

    expect(markdown).toMatch(/^# Rights/)
    expect(markdown).toMatch(/## Dignity.*\[1\].*## 尊厳.*\[2\]/s)
    expect(citations).toEqual([
      { source: 1, title: 'Dignity' },
      { source: 2, title: '尊厳' },
    ])
  })

  it('may send and receive content that is too large for a ledger row', async () => {
    const acme = await newTenant()
    const texts = Array.from({ length: 200 }, (_, at) => `${TEXT} Number ${at}.`)
    const { id } = await acme.submitted({ kind: 'embed', input: { texts }, params: { dimensions: 256 } })

    expect(await acme.ended(id)).toMatchObject({ status: 'succeeded' })

    expect((await acme.result(id)).output.embeddings).toHaveLength(200)
    expect(await contentOf(acme.id)).toEqual([
      expect.stringMatching(/\/in\/[0-9]+\//),
      expect.stringMatching(/\/out\/job_[^/]+\/1$/),
    ])
  })
})

describe('a job', () => {
  it('shows that its result is not available before and after it failed', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/content-filtered' }))

    const before = await acme.get(`/v1/jobs/${id}/result`)
    await acme.ended(id)
    const after = await acme.get(`/v1/jobs/${id}/result`)

    for (const { status, body } of [before, after])
      expect([status, body.type]).toEqual([409, expect.stringMatching(/\/problems\/result-not-available$/)])
  })

  it('answers 304 to a reader who has seen this version', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted()
    await acme.ended(id)
    const first = await acme.get(`/v1/jobs/${id}`)

    const again = await acme.get(`/v1/jobs/${id}`, { 'If-None-Match': first.headers.get('ETag') ?? '' })

    expect([again.status, again.body]).toEqual([304, null])
    expect(again.headers.get('ETag')).toBe(first.headers.get('ETag'))
  })

  it('is cancelled while it runs, and its late result is dropped', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/slow' }))
    await acme.reached(id, 'running')

    const cancelled = await expectStatus(200, acme.cancel(id))
    const again = await acme.cancel(id)

    expect(cancelled.body).toMatchObject({ id, status: 'cancelled', terminal: true })
    expect([again.status, again.body.type]).toEqual([409, expect.stringMatching(/job-settled$/)])
    await new Promise((resolve) => setTimeout(resolve, 6000))
    expect(await acme.job(id)).toMatchObject({ status: 'cancelled' })
  })

  it('fails with deadline_exceeded when its deadline passes', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/hangs', deadline_seconds: 5 }))

    const job = await acme.ended(id)

    expect(job).toMatchObject({ status: 'failed', error: { class: 'deadline_exceeded', retryable: true } })
    expect(Date.parse(job.finished_at) - Date.parse(job.deadline_at)).toBeLessThan(2000)
  })
})

describe("a tenant's list of jobs", () => {
  it('is newest first, in pages', async () => {
    const acme = await newTenant()
    const ids: string[] = []
    for (let at = 0; at < 5; at++) ids.unshift((await acme.submitted()).id)

    const first = (await expectStatus(200, acme.get('/v1/jobs?limit=3'))).body
    const second = (await expectStatus(200, acme.get(`/v1/jobs?limit=3&cursor=${first.next_cursor}`))).body

    const seen = [...first.data, ...second.data].map(({ id }) => id)
    expect(seen).toEqual(ids)
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null])
  })

  it('is filtered by status, kind, metadata and time', async () => {
    const acme = await newTenant()
    const wanted = await acme.submitted(summarizeJob({ metadata: { order: '1:a' } }))
    await acme.submitted({
      kind: 'classify',
      input: { text: TEXT, labels: ['a', 'b'] },
      metadata: { order: '2' },
    })
    await acme.ended(wanted.id)
    const list = async (query: string) => (await expectStatus(200, acme.get(`/v1/jobs?${query}`))).body.data

    for (const query of ['kind=summarize', 'metadata=order:1:a', 'status=succeeded&kind=summarize'])
      expect(await list(query)).toEqual([expect.objectContaining({ id: wanted.id })])
    expect(await list('created_before=2020-01-01T00:00:00Z')).toEqual([])
    expect(await list('created_after=2020-01-01T00:00:00Z')).toHaveLength(2)
    expect(await list('batch_id=batch_none')).toEqual([])
  })

  it('is filtered by the very time that each job shows', async () => {
    const acme = await newTenant()
    const jobs = await Promise.all(Array.from({ length: 10 }, () => acme.submitted()))

    for (const { id, created_at } of jobs) {
      const before = new Date(Date.parse(created_at) - 1).toISOString()
      const after = (await acme.get(`/v1/jobs?created_after=${before}`)).body.data
      const earlier = (await acme.get(`/v1/jobs?created_before=${created_at}`)).body.data
      expect(after.map((job) => job.id)).toContain(id)
      expect(earlier.map((job) => job.id)).not.toContain(id)
    }
    const shown = (await acme.get('/v1/jobs')).body.data.map((job) => Date.parse(job.created_at))
    expect(shown).toEqual(shown.toSorted((a, b) => b - a))
  })

  it('refuses a cursor of another filter or another tenant', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    await acme.submitted()
    await acme.submitted()
    const { next_cursor } = (await acme.get('/v1/jobs?limit=1')).body

    const otherFilter = await acme.get(`/v1/jobs?limit=1&kind=embed&cursor=${next_cursor}`)
    const otherTenant = await globex.get(`/v1/jobs?limit=1&cursor=${next_cursor}`)

    for (const { status, body } of [otherFilter, otherTenant])
      expect([status, body.errors]).toEqual([400, [expect.objectContaining({ parameter: 'cursor' })]])
  })
})

describe('another tenant', () => {
  it('cannot read, cancel or list the job: it is not there', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const { id } = await acme.submitted()

    const answers = [
      await globex.get(`/v1/jobs/${id}`),
      await globex.get(`/v1/jobs/${id}/result`),
      await globex.cancel(id),
      await globex.get('/v1/jobs/job_unknown'),
      await globex.get('/v1/jobs/%2e%2e%2fjobs'),
    ]

    for (const { status, body } of answers) {
      expect(status).toBe(404)
      expect(body).toMatchObject({ type: 'https://api.gateway.test/problems/not-found', status: 404 })
    }
    expect((await globex.get('/v1/jobs')).body.data).toEqual([])
  })
})
