import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { batchOf, embedBatch, endedBatch, submittedBatch } from './support/batches.ts'
import { claim, withWaitingJob } from './support/consumer.ts'
import { evict, inDirectory, inLedger } from './support/control.ts'
import { redrive, withDeadLetter } from './support/dead-letters.ts'
import { pauseIntake, resumeIntake } from './support/orders.ts'
import { newTenant, operator, summarizeJob } from './support/tenant.ts'
import { pause, until } from './support/wait.ts'

const slug = (name: string) => expect.stringMatching(new RegExp(`/problems/${name}$`))
const embedJob = { kind: 'embed', input: { texts: ['One.'] } }

describe('a tenant whose intake is paused', () => {
  it('is refused with a time to come back, in all that it can send, and told so by estimates', async () => {
    const acme = await newTenant()
    const over = await submittedBatch(acme, embedBatch(1, { model: 'test/batch-partial' }))
    await endedBatch(acme, over.id)
    await pauseIntake({ tenant_id: acme.id })
    const keyed = () => ({ 'Idempotency-Key': randomUUID() })

    const refusals = [
      await acme.submit(),
      await acme.client.post('/v1/batches', embedBatch(2), keyed()),
      await acme.client.post(
        `/v1/batches/${over.id}/rerun`,
        { mode: 'recompute_all', processing_version: '2' },
        keyed(),
      ),
    ]

    for (const { status, body, headers } of refusals) {
      expect([status, body.type]).toEqual([503, slug('intake-paused')])
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
    }
    const job = await acme.client.post('/v1/jobs/estimate', summarizeJob())
    const batch = await acme.client.post('/v1/batches/estimate', embedBatch(2))
    for (const { status, body } of [job, batch])
      expect([status, body.would_be_accepted, body.reasons]).toEqual([200, false, ['intake-paused']])
    expect((await acme.get('/v1/jobs')).status).toBe(200)
    await resumeIntake({ tenant_id: acme.id })
    expect((await acme.submit()).status).toBe(202)
  })

  it('gets its first answer again, and a request that was refused may be sent again', async () => {
    const acme = await newTenant()
    const [old, fresh] = [randomUUID(), randomUUID()]
    const first = await acme.submit(summarizeJob(), old)
    await pauseIntake({ tenant_id: acme.id })

    const replay = await acme.submit(summarizeJob(), old)
    const refused = await acme.submit(summarizeJob(), fresh)
    await resumeIntake({ tenant_id: acme.id })
    const again = await acme.submit(summarizeJob(), fresh)

    expect([replay.status, replay.body, replay.headers.get('Idempotency-Replayed')]).toEqual([
      202,
      first.body,
      'true',
    ])
    expect([refused.status, again.status, again.headers.get('Idempotency-Replayed')]).toEqual([
      503,
      202,
      null,
    ])
  })

  it('has its accepted work held: what runs finishes, what waits says why, until it is resumed', async () => {
    const acme = await newTenant({ max_running: 1 })
    const running = await acme.submitted(summarizeJob({ model: 'test/slow' }))
    await acme.reached(running.id, 'running')
    const waiting = await acme.submitted()

    await pauseIntake({ tenant_id: acme.id })

    expect(await acme.job(waiting.id)).toMatchObject({ status: 'accepted', status_reason: 'intake_paused' })
    expect(await acme.ended(running.id)).toMatchObject({ status: 'succeeded' })
    expect(await claim(acme, waiting.id, 1)).toMatchObject({ notHeld: 'not_allowed' })
    await pause(1000)
    expect(await acme.job(waiting.id)).toMatchObject({ status: 'accepted', status_reason: 'intake_paused' })
    await resumeIntake({ tenant_id: acme.id })
    expect(await acme.ended(waiting.id, 5000)).toMatchObject({ status: 'succeeded' })
  })

  it('has its accepted work done where that is to drain', async () => {
    const acme = await newTenant({ max_running: 1 })
    const running = await acme.submitted(summarizeJob({ model: 'test/slow' }))
    const waiting = await acme.submitted()

    await pauseIntake({ tenant_id: acme.id, accepted_work: 'run' })

    expect((await acme.submit()).status).toBe(503)
    for (const { id } of [running, waiting])
      expect(await acme.ended(id)).toMatchObject({ status: 'succeeded' })
  })

  it('has its deadlines go on', async () => {
    const { acme, id } = await withWaitingJob(summarizeJob({ deadline_seconds: 5 }))
    await pauseIntake({ tenant_id: acme.id })

    expect(await acme.ended(id)).toMatchObject({ status: 'failed', error: { class: 'deadline_exceeded' } })
  })

  it('has no new chunk sent, and what is out collected', async () => {
    const acme = await newTenant({ max_batch_chunks: 1 })
    const { id } = await submittedBatch(acme, embedBatch(3, { model: 'test/slow' }))
    await until('the chunk is out', async () =>
      (await inLedger<{ state: string }>(acme.id, 'select state from batch_chunks')).some(
        ({ state }) => state === 'submitted',
      ),
    )
    const second = await submittedBatch(acme, embedBatch(2, { model: 'test/priced', on_duplicate: 'run' }))

    await pauseIntake({ tenant_id: acme.id })

    expect(await endedBatch(acme, id)).toMatchObject({ status: 'completed' })
    await pause(1000)
    expect((await batchOf(acme, second.id)).counts).toMatchObject({ pending: 2 })
    await resumeIntake({ tenant_id: acme.id })
    expect(await endedBatch(acme, second.id)).toMatchObject({ status: 'completed' })
  })

  it('has its dead letters refused, and redriven once it is not', async () => {
    const { acme, dead } = await withDeadLetter()
    await pauseIntake({ tenant_id: acme.id })

    const refused = await redrive(dead.id)

    expect([refused.status, refused.body.type]).toEqual([503, slug('intake-paused')])
    await resumeIntake({ tenant_id: acme.id })
    expect((await redrive(dead.id)).status).toBe(202)
  })
})

describe('a pause', () => {
  it('is of the kind and model that it names, and of no other tenant', async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    await pauseIntake({ tenant_id: acme.id, kind: 'summarize' })
    await pauseIntake({ tenant_id: acme.id, model: 'test/priced' })

    expect((await acme.submit(summarizeJob())).status).toBe(503)
    expect((await acme.submit({ ...embedJob, model: 'test/priced' })).status).toBe(503)
    expect((await acme.submit(embedJob)).status).toBe(202)
    expect((await globex.submit(summarizeJob())).status).toBe(202)
  })

  it('of a model alone reaches every tenant, also one whose ledger has known nothing of it', async () => {
    const model = 'test/invalid-output'
    const acme = await newTenant()
    // Its kind is asked of this model by no other spec.
    const scope = { kind: 'report', model }
    const job = { kind: 'report', model, input: { sources: [{ title: 'One', text: 'All is well.' }] } }
    await pauseIntake(scope)

    const { body } = await (await operator()).get('/ops/v1/intake?limit=100')
    const refused = await acme.submit(job)
    await resumeIntake(scope)

    expect(body.data).toContainEqual(expect.objectContaining({ ...scope, tenant_id: null, reason: 'a spec' }))
    expect([refused.status, (await acme.submit(job)).status]).toEqual([503, 202])
  })

  it('that a ledger was not told of reaches it within seconds, evicted or not', async () => {
    const { acme, id } = await withWaitingJob()
    const scope = JSON.stringify([acme.id, null, null])
    await inDirectory(
      "insert into intake_pauses values (?, ?, null, null, 'hold', 'client_x', 'a spec', 1)",
      scope,
      acme.id,
    )
    await inDirectory(bumped)

    const reason = async () => (await acme.job(id)).status_reason
    await until('it is held', async () => (await reason()) === 'intake_paused', 10_000)
    await evict(acme.id)
    expect(await reason()).toBe('intake_paused')
    await inDirectory('delete from intake_pauses where id = ?', scope)
    await inDirectory(bumped)
    await until('it is not held any more', async () => (await reason()) !== 'intake_paused', 10_000)
  })
})

const bumped =
  'insert into order_revisions values (1, 1) on conflict (id) do update set revision = revision + 1'
