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
