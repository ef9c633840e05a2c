import { describe, expect, it } from 'vitest'
import { booksOf } from './support/batch-rows.ts'
import {
  batchOf,
  embedBatch,
  embedItems,
  manifestOf,
  ndjson,
  reportOf,
  submitBatch,
  submittedBatch,
  uploadedItems,
} from './support/batches.ts'
import { expectStatus, newTenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const stuck = (more: object = {}) => embedBatch(3, { model: 'test/batch-stuck', ...more })

describe.concurrent('batches of the same items that come at once', () => {
  it('are one where the items come in the request: the others are refused, and name it', async () => {
    const acme = await newTenant()

    const answers = await Promise.all(Array.from({ length: 5 }, () => submitBatch(acme, stuck())))

    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409, 409])
    const id = answers.find(({ status }) => status === 202)?.body.id ?? ''
    for (const { status, body } of answers)
      if (status === 409)
        expect(body.errors.map(({ detail }) => detail)).toEqual(Array(3).fill(`Open in ${id}.`))
    expect((await acme.get('/v1/batches')).body.data).toHaveLength(1)
  })

  it('are one where the items come in files: the others fail before anything is sent, and name it', async () => {
    const acme = await newTenant()
    const items_file_id = await uploadedItems(acme, ndjson(embedItems(3)))
    const body = { kind: 'embed', model: 'test/batch-stuck', items_file_id }

    const accepted = await Promise.all([1, 2, 3].map(() => submittedBatch(acme, body)))

    const batches = await until('all are planned', async () => {
      const read = await Promise.all(accepted.map(({ id }) => batchOf(acme, id)))
      return read.every(({ terminal, counts }) => terminal || counts.total > 0) && read
    })
    const [running, ...others] = batches.filter(({ terminal }) => !terminal)
    expect(others).toEqual([])
    for (const { id, terminal } of batches) {
      if (!terminal) continue
      const { errors, error_count, checks, status } = await reportOf(acme, id)
      expect([status, error_count]).toEqual(['failed', 3])
      expect(checks.filter(({ passed }) => !passed)).toMatchObject([{ name: 'items_not_open_elsewhere' }])
      expect(errors).toMatchObject([1, 2, 3].map((line) => ({ line, detail: `Open in ${running?.id}.` })))
    }
    expect(await booksOf(acme)).toMatchObject({ items: 0 })
  })

  it('all run where that was asked for', async () => {
    const acme = await newTenant()

    const answers = await Promise.all([1, 2].map(() => submitBatch(acme, stuck({ on_duplicate: 'run' }))))

    expect(answers.map(({ status }) => status)).toEqual([202, 202])
  })

  it('are nothing to each other where their tenants, models or processing versions differ', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const [mine, theirs] = [await submittedBatch(acme, stuck()), await submittedBatch(globex, stuck())]

    await expectStatus(202, submitBatch(acme, stuck({ processing_version: '2' })))
    await expectStatus(202, submitBatch(acme, stuck({ model: 'test/hangs' })))
    const keysOf = async (manifest: ReturnType<typeof manifestOf>) =>
      (await manifest).items.map(({ item_key }) => item_key)
    const keys = [
      ...(await keysOf(manifestOf(acme, mine.id))),
      ...(await keysOf(manifestOf(globex, theirs.id))),
    ]
    expect(new Set(keys).size).toBe(6)
  })
})
