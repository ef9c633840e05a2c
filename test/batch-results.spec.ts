import { describe, expect, inject, it } from 'vitest'
import {
  batchOf,
  embedBatch,
  embedItems,
  endedBatch,
  ndjson,
  resultsOf,
  submitBatch,
  submittedBatch,
  uploadedItems,
} from './support/batches.ts'
import { contentOf, logs, loseContent } from './support/control.ts'
import { newTenant, TEXT } from './support/tenant.ts'
import { uploaded } from './support/uploads.ts'
import { until } from './support/wait.ts'

describe.concurrent('the results of a batch', () => {
  it('come in input order over many chunks, those that were filled side by side too', async () => {
    const acme = await newTenant()
    const items = embedItems(2600).map((item, at) => ({
      ...item,
      ...(at % 7 === 3 && { retention_seconds: 60 }),
    }))
    const items_file_id = await uploadedItems(acme, ndjson(items))
    const { id } = await submittedBatch(acme, { kind: 'embed', items_file_id, params: { dimensions: 8 } })
    await endedBatch(acme, id)

    const results = await resultsOf(acme, id)

    expect(results.length).toBe(2600)
    for (const [at, line] of results.entries())
      expect([line.index, line.external_reference, line.status]).toEqual([at, `item-${at}`, 'succeeded'])
  })

  it('are there while the batch runs, as far as they are', async () => {
    const acme = await newTenant()
    const file_id = (await uploaded(acme, TEXT)).id
    const items = embedItems(4).map((item, at) => (at % 2 === 1 ? { ...item, input: { file_id } } : item))
    const { id } = await submittedBatch(acme, { kind: 'embed', model: 'test/batch-stuck', items })

    const results = await until('the first results', async () => {
      const lines = await resultsOf(acme, id)
      return lines.length > 0 && lines
    })

    expect(results.map(({ index, status }) => [index, status])).toEqual([
      [1, 'succeeded'],
      [3, 'succeeded'],
    ])
    expect(await batchOf(acme, id)).toMatchObject({
      terminal: false,
      counts: { total: 4, pending: 2, succeeded: 2 },
    })
    const jobsOf = async (query: string) => (await acme.get(`/v1/jobs${query}`)).body.data
    expect(await jobsOf('')).toEqual([])
    expect(await jobsOf(`?batch_id=${id}`)).toMatchObject([
      { batch_id: id, status: 'succeeded' },
      { batch_id: id, status: 'succeeded' },
    ])
  })

  it('name what the provider left out as missing', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(8, { model: 'test/batch-missing' }))
    await endedBatch(acme, id)

    const results = await resultsOf(acme, id)

    expect(results.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    const missing = results.filter(({ status }) => status === 'failed')
    expect(missing.length).toBeGreaterThan(0)
    for (const { error, output } of missing)
      expect([error, output]).toEqual([
        { class: 'missing_result', message: 'The provider gave no result for the item.', retryable: true },
        undefined,
      ])
  })

  it('name what had no result at the deadline as expired', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(
      acme,
      embedBatch(2, { model: 'test/batch-stuck', deadline_seconds: 5 }),
    )

    expect(await endedBatch(acme, id)).toMatchObject({
      status: 'expired',
      counts: { expired: 2, pending: 0 },
    })

    expect((await resultsOf(acme, id)).map(({ status, error }) => [status, error?.class])).toEqual([
      ['expired', 'deadline_exceeded'],
      ['expired', 'deadline_exceeded'],
    ])
  })

  it('are gone at the end of their retention', async () => {
    const acme = await newTenant()
    const { id } = await submittedBatch(acme, embedBatch(2, { retention_seconds: 0 }))
    await endedBatch(acme, id)

    const { status, body } = await acme.get(`/v1/batches/${id}/results`)

    expect([status, body.type]).toEqual([410, expect.stringMatching(/content-deleted$/)])
  })

  it('break off under their reader where they go meanwhile, and one line of the log says so', async () => {
    const acme = await newTenant()
    const items = embedItems(2).map((item, at) => ({ ...item, retention_seconds: 600 + at }))
    const { id } = await submittedBatch(acme, { kind: 'embed', items })
    await endedBatch(acme, id)
    const outputs = (await contentOf(acme.id)).filter((key) => /\/batch\/.+\/\d+-\d+$/.test(key))

    await loseContent(outputs.at(-1) ?? '')

    await expect(resultsOf(acme, id)).rejects.toThrow()
    const about = (text: string) => async () =>
      (await logs()).filter((line) => line.includes(text) && line.includes('ResultsGone'))
    await until('it is told', async () => (await about(id)()).length > 0)
    expect(await about(id)()).toHaveLength(1)
    expect(await about('Uncaught')()).toEqual([])
  })

  it('may be left by a reader in the middle', async () => {
    const acme = await newTenant()
    const items = ndjson(embedItems(800))
    const items_file_id = await uploadedItems(acme, items)
    const { id } = await submittedBatch(acme, { kind: 'embed', items_file_id, params: { dimensions: 512 } })
    await endedBatch(acme, id)

    const leaving = new AbortController()
    const url = new URL(`/v1/batches/${id}/results`, inject('stack').url)
    const headers = { Authorization: `Bearer ${acme.client.token}` }
    const response = await fetch(url, { headers, signal: leaving.signal })
    await response.body?.getReader().read()
    leaving.abort()

    expect(await resultsOf(acme, id)).toHaveLength(800)
    expect((await logs()).filter((line) => line.includes('results_broke_off') && line.includes(id))).toEqual(
      [],
    )
  })
})

describe.concurrent('an item whose input is a file', () => {
  it.each(['items', 'items_file_id'])('has it for as long as its batch needs it (%s)', async (source) => {
    const acme = await newTenant()
    const file_id = (await uploaded(acme, TEXT)).id
    const items = [{ external_reference: 'file', input: { file_id } }]
    const body = source === 'items' ? { items } : { items_file_id: await uploadedItems(acme, ndjson(items)) }
    const { id } = await submittedBatch(acme, { kind: 'embed', model: 'test/slow', ...body })
    await until('it is planned', async () => (await batchOf(acme, id)).counts.total === 1)

    await acme.client.delete(`/v1/files/${file_id}`)

    expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed', counts: { succeeded: 1 } })
  })

  it('is refused where the file is not there, unless its batch was accepted before', async () => {
    const acme = await newTenant()
    const file_id = (await uploaded(acme, TEXT)).id
    const items = [{ external_reference: 'file', input: { file_id } }]
    const key = `files-${acme.id}`
    const { body: first } = await submitBatch(acme, { kind: 'embed', items }, key)
    await endedBatch(acme, first.id)
    await acme.client.delete(`/v1/files/${file_id}`)

    const again = await submitBatch(acme, { kind: 'embed', items }, key)
    const fresh = await submitBatch(acme, { kind: 'embed', items })

    expect([again.status, again.body.id]).toEqual([202, first.id])
    expect([fresh.status, fresh.body.errors]).toEqual([
      400,
      [{ pointer: '/items/0/input/file_id', detail: 'There is no such file.' }],
    ])
  })
})
