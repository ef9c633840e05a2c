import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { mintId, randomBytes } from '../ledger/ids.ts'
import { noOrders } from '../ledger/orders.ts'
import { letStart } from './support/consumer.ts'
import { callLedger, contentOf, inLedger } from './support/control.ts'
import {
  audited,
  changed,
  deadLetterOf,
  letter,
  mended,
  path,
  redrive,
  redrivesOf,
  withDeadLetter,
} from './support/dead-letters.ts'
import { newReceiver } from './support/receiver.ts'
import { newTenant, operator, summarizeJob, TEXT } from './support/tenant.ts'

const { clientId } = inject('stack').operator
const problem = (slug: string) => `https://api.gateway.test/problems/${slug}`

describe('a redrive', () => {
  it('runs the work again as a new job, once its cause is mended', async () => {
    const more = {
      metadata: { order: '4711' },
      priority: 'high',
      deadline_seconds: 600,
      processing_version: '3',
    }
    const { acme, jobId, dead } = await withDeadLetter(more)
    await mended(acme, jobId)

    const { status, body } = await redrive(dead.id)

    expect([status, body]).toEqual([
      202,
      {
        object: 'redrive',
        dead_letter_id: dead.id,
        tenant_id: acme.id,
        redrive_of: jobId,
        new_job_id: expect.stringMatching(/^job_/),
      },
    ])
    const job = await acme.ended(body.new_job_id)
    expect(job).toMatchObject({ status: 'succeeded', redrive_of: jobId, attempts: 1, ...kept(more) })
    expect(Date.parse(job.deadline_at) - Date.parse(job.created_at)).toBe(600_000)
    expect((await acme.result(job.id)).output.summary).not.toBe('')
    expect(await acme.job(jobId)).toMatchObject({ status: 'failed', redrive_of: null })
  })

  const kept = ({ deadline_seconds: _, ...shown }: Record<string, unknown>) => shown

  it('is told in the dead letter and in the audit log, with who and why', async () => {
    const { dead } = await withDeadLetter()

    const { body } = await redrive(dead.id)

    expect(await letter(dead.id)).toEqual({
      ...dead,
      status: 'redriven',
      redrivable: false,
      redrive_reason: `It was redriven already, as ${body.new_job_id}.`,
      redrive_conditions: [],
      redriven_by: clientId,
      redriven_at: expect.stringMatching(/Z$/),
      redrive_note: 'the credential has been renewed',
      new_job_id: body.new_job_id,
    })
    expect(await audited(dead.id)).toEqual([
      { action: 'dead_letter.redrive', operator: clientId, reason: 'the credential has been renewed' },
    ])
  })

  it('is told to the customer as an accepted job that names the one it stands for', async () => {
    const receiver = await newReceiver()
    const { acme, jobId, dead } = await withDeadLetter()
    await acme.listens(receiver, ['job.accepted'])

    const { body } = await redrive(dead.id)

    const { event } = await receiver.event('job.accepted')
    expect(event.data).toMatchObject({ id: body.new_job_id, redrive_of: jobId })
  })

  it('is refused a second time, naming the job that the first one made', async () => {
    const { acme, jobId, dead } = await withDeadLetter()
    const first = await redrive(dead.id)

    const again = await redrive(dead.id)

    expect([again.status, again.body.type]).toEqual([409, problem('not-redrivable')])
    expect(again.body.detail).toContain(first.body.new_job_id)
    expect(await redrivesOf(acme, jobId)).toEqual([first.body.new_job_id])
  })

  it('makes one job for two operators at once', async () => {
    const { acme, jobId, dead } = await withDeadLetter()

    const answers = await Promise.all([1, 2, 3].map(() => redrive(dead.id)))

    const [newJobId, ...others] = await redrivesOf(acme, jobId)
    expect(others).toEqual([])
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409])
    expect(answers.find(({ status }) => status === 202)?.body.new_job_id).toBe(newJobId)
    for (const { body } of answers.filter(({ status }) => status === 409))
      expect(body.detail).toContain(newJobId)
    expect(await audited(dead.id)).toHaveLength(1)
  })

  it('is answered alike under its key, at once or later, and 422 for another body', async () => {
    const { acme, jobId, dead } = await withDeadLetter()
    const headers = { 'Idempotency-Key': randomUUID() }

    const atOnce = await Promise.all([redrive(dead.id, headers), redrive(dead.id, headers)])
    const later = await redrive(dead.id, headers)
    const other = await (await operator()).post(path(dead.id, '/redrive'), { reason: 'another' }, headers)

    const [newJobId] = await redrivesOf(acme, jobId)
    for (const { status, body } of [...atOnce, later])
      expect([status, body.new_job_id]).toEqual([202, newJobId])
    expect(later.headers.get('Idempotency-Replayed')).toBe('true')
    expect(other.status).toBe(422)
    expect(await audited(dead.id)).toHaveLength(1)
  })

  it('that broke off before the directory knew is finished by the next, with the same job', async () => {
    const { acme, jobId, dead } = await withDeadLetter()
    const newJobId = mintId('job', 0, Date.now(), randomBytes)
    await callLedger(acme.id, 'redriveJobs', [{ deadLetterId: dead.id, jobId, newJobId }], noOrders)
    // Its key is kept for a day; what is remembered here must not depend on it. Nor on the input, which the new job holds by itself.
    await inLedger(acme.id, 'delete from idempotency_keys')
    await changed(acme, jobId, 'content_deleted_at = ?, input = null', Date.now())
    expect((await letter(dead.id)).status).toBe('open')

    const { status, body } = await redrive(dead.id)

    expect([status, body.new_job_id]).toEqual([202, newJobId])
    expect(await letter(dead.id)).toMatchObject({ status: 'redriven', new_job_id: newJobId })
    expect(await redrivesOf(acme, jobId)).toEqual([newJobId])
    expect((await redrive(dead.id)).status).toBe(409)
  })

  it('that fails as before leaves a dead letter of its own, which can be redriven in turn', async () => {
    const { acme, jobId, dead } = await withDeadLetter()
    const { body: first } = await redrive(dead.id)

    const second = await deadLetterOf(first.new_job_id)

    expect(second).toMatchObject({ status: 'open', redrivable: true, job_id: first.new_job_id })
    const { body } = await redrive(second.id)
    expect(await acme.ended(body.new_job_id)).toMatchObject({ redrive_of: first.new_job_id })
    expect(await acme.job(first.new_job_id)).toMatchObject({ redrive_of: jobId })
  })

  it('shares large input and files with the job that failed, and holds them for itself', async () => {
    const acme = await newTenant()
    const input = { text: `${TEXT} `.repeat(200) }
    const { id: jobId } = await acme.submitted(summarizeJob({ input, model: 'test/permission-denied' }))
    const dead = await deadLetterOf(jobId)
    const [ref = ''] = await contentOf(acme.id)
    const file = `file_${randomUUID()}`
    await inLedger(
      acme.id,
      "insert into files (id, ref, content_type, bytes, sha256, created_by, created_at, expires_at, due_at) values (?, ?, 'text/plain', 1, '', '', 0, ?, ?)",
      ...[file, ref, Date.now() + 86_400_000, Date.now() + 86_400_000],
    )
    await changed(acme, jobId, "model = 'embedded/extract-1', file_ids = ?", JSON.stringify([file]))

    const { body } = await redrive(dead.id)

    expect(await acme.ended(body.new_job_id)).toMatchObject({ status: 'succeeded' })
    expect(await contentOf(acme.id)).toEqual([ref])
    const [row] = await inLedger(
      acme.id,
      'select input_ref, file_ids from jobs where id = ?',
      body.new_job_id,
    )
    expect(row).toEqual({ input_ref: ref, file_ids: JSON.stringify([file]) })
    const held = await inLedger(acme.id, 'select ref from content_refs where job_id = ?', body.new_job_id)
    expect(held).toEqual([{ ref }])
  })

  it('starts apart when leases of the failed job were lost', async () => {
    const { acme, jobId, dead } = await withDeadLetter()
    await changed(acme, jobId, 'lost_leases = 5')

    const { body } = await redrive(dead.id)
    await acme.ended(body.new_job_id)

    expect((await deadLetterOf(body.new_job_id)) as object).toMatchObject({ queue: 'jobs-solo' })
  })

  it('is not refused by a full backlog, and waits for the limits like any other job', async () => {
    const { acme, dead } = await withDeadLetter({}, { jobs_per_minute: 1, max_backlog: 1 })
    await acme.submitted()
    expect((await acme.submit()).status).toBe(429)

    const { status, body } = await redrive(dead.id)

    expect(status).toBe(202)
    expect(await acme.job(body.new_job_id)).toMatchObject({ status: 'accepted', attempts: 0 })
    await letStart(acme)
    expect(await acme.ended(body.new_job_id)).toMatchObject({ attempts: 1 })
  })
})
