import { describe, expect, it } from 'vitest'
import { expectStatus, newTenant, summarizeJob, TEXT } from './support/tenant.ts'

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
