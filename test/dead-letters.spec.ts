import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { mintId, randomBytes } from '../ledger/ids.ts'
import { Client, fetchToken, request } from './support/client.ts'
import { letStart, message } from './support/consumer.ts'
import { callLedger, contentOf, evict, inDirectory, inLedger, send } from './support/control.ts'
import {
  audited,
  changed,
  deadLetterOf,
  letter,
  mended,
  path,
  redrive,
  redrivesOf,
  resolve,
  withDeadLetter,
} from './support/dead-letters.ts'
import { newReceiver } from './support/receiver.ts'
import { newTenant, operator, summarizeJob, TEXT } from './support/tenant.ts'
import { until } from './support/wait.ts'

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
    await callLedger(acme.id, 'redriveJobs', [{ deadLetterId: dead.id, jobId, newJobId }])
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

describe('a redrive that cannot help', () => {
  it.each([
    ['the input was deleted', 'content_deleted_at = 1, input = null', /input has been deleted/],
    ['the input is past its date', 'content_expires_at = 1', /input has been deleted/],
    ['the input is missing in R2', "input = null, input_ref = 't/nobody/in/0/x'", /content store/],
    ['a file is gone', `file_ids = '["file_gone"]'`, /file .* deleted/],
    ['the model is gone', "model = 'embedded/extract-0'", /no longer in the catalog/],
    ['the model may not do it any more', "model = 'embedded/hash-1'", /not allowed/],
    ['the customer must change the input', "error_class = 'content_filtered'", /customer/],
    ['the job has not failed', "status = 'cancelled'", /cancelled/],
  ])('because %s is refused and says so', async (_, set, detail) => {
    const { acme, jobId, dead } = await withDeadLetter()
    await changed(acme, jobId, set)

    const { status, body } = await redrive(dead.id)

    expect([status, body.type]).toEqual([409, problem('not-redrivable')])
    expect(body.detail).toMatch(detail)
    expect(await letter(dead.id)).toEqual(dead)
    expect(await redrivesOf(acme, jobId)).toEqual([])
    expect(await audited(dead.id)).toEqual([])
  })

  it('because the job is no longer on record is refused', async () => {
    const { acme, jobId, dead } = await withDeadLetter()
    await inLedger(acme.id, 'delete from jobs where id = ?', jobId)

    expect((await redrive(dead.id)).body.detail).toMatch(/no longer on record/)
  })

  it('because the plan has no test models any more is refused', async () => {
    const { acme, dead } = await withDeadLetter()
    const json = { limits: { test_models: false }, reason: 'a spec' }
    await (await operator()).request('PATCH', `/ops/v1/tenants/${acme.id}`, { json })

    expect((await redrive(dead.id)).body.detail).toMatch(/not available/)
  })

  it('because the budget has no room for it is refused until it has', async () => {
    const { acme, jobId, dead } = await withDeadLetter({}, { monthly_budget_usd: 0.01 })
    await mended(acme, jobId)
    await changed(acme, jobId, 'estimate_micro_usd = 20000')

    const { status, body } = await redrive(dead.id)

    expect([status, body.type]).toEqual([409, problem('not-redrivable')])
    expect(body.detail).toMatch(/budget/)
    const json = { limits: { monthly_budget_usd: 0.02 }, reason: 'a spec' }
    await (await operator()).request('PATCH', `/ops/v1/tenants/${acme.id}`, { json })
    const accepted = await redrive(dead.id)
    expect(await acme.ended(accepted.body.new_job_id)).toMatchObject({ status: 'succeeded' })
  })

  it('because the tenant is suspended is refused until it is not', async () => {
    const { acme, dead } = await withDeadLetter()
    await inLedger(acme.id, "insert into meta values ('suspended', 'true')")
    await evict(acme.id)

    const refused = await redrive(dead.id)

    expect([refused.status, refused.body.type]).toEqual([409, problem('not-redrivable')])
    expect(refused.body.detail).toMatch(/suspended/)
    await inLedger(acme.id, "delete from meta where name = 'suspended'")
    await evict(acme.id)
    expect((await redrive(dead.id)).status).toBe(202)
  })

  it('because the tenant is gone is refused', async () => {
    const { dead } = await withDeadLetter()
    await inDirectory('update dead_letters set tenant_id = ? where id = ?', `gone-${randomUUID()}`, dead.id)

    expect((await redrive(dead.id)).body.detail).toMatch(/tenant does not exist/)
  })

  it('because the message could not be read is refused', async () => {
    const garbage = `garbage ${randomUUID()}`
    await send('jobs-dlq', garbage, 'text')
    const since = Date.now() - 60_000
    const rows = await until('the record', async () => {
      const sql = "select id from dead_letters where class = 'unparseable' and created_at > ?"
      const found = await inDirectory<{ id: string }>(sql, since)
      return found.length > 0 && found
    })

    const { status, body } = await redrive(rows[0]?.id ?? '')

    expect([status, body.type]).toEqual([409, problem('not-redrivable')])
    expect(body.detail).toMatch(/could not be read/)
  })

  it('because the work had ended by itself is refused, and there is nothing to resolve', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted()
    await acme.ended(id)
    await send('jobs-dlq', message(acme, id, 1))
    const dead = await deadLetterOf(id)

    const answers = [await redrive(dead.id), await resolve(dead.id)]

    expect(dead).toMatchObject({ status: 'superseded', redrivable: false })
    expect(answers.map(({ status, body }) => [status, body.type])).toEqual([
      [409, problem('not-redrivable')],
      [409, problem('dead-letter-settled')],
    ])
  })
})

describe('a dead letter', () => {
  it('says when it is written whether and when a redrive may help', async () => {
    const { acme, jobId, dead } = await withDeadLetter()
    const { content_expires_at } = (await acme.job(jobId)) as unknown as { content_expires_at: string }

    expect(dead).toMatchObject({
      redrivable: true,
      redrive_reason: 'The provider refused our access, not the job.',
      redrive_conditions: [
        'The credential, terms or quota at the provider have been mended.',
        'The model test/permission-denied is enabled and allowed for the job.',
        `The input is kept until ${content_expires_at}.`,
      ],
    })
  })

  it('does not claim to be redrivable when its input is past its date', async () => {
    const { dead } = await withDeadLetter({ retention_seconds: 0 })

    expect(dead).toMatchObject({ status: 'open', redrivable: false, redrive_conditions: [] })
    expect(dead.redrive_reason).toMatch(/^The input was kept until/)
    expect((await redrive(dead.id)).body.detail).toMatch(/input has been deleted/)
  })

  it.each(['redriven', 'resolved'] as const)(
    'that was %s is not opened again by a late record',
    async (end) => {
      const { acme, jobId, dead } = await withDeadLetter()
      await (end === 'redriven' ? redrive : resolve)(dead.id)
      const closed = await letter(dead.id)
      const record = { tenantId: acme.id, jobId, queue: 'jobs', class: 'internal', attempts: 9, createdAt: 1 }
      const late = JSON.stringify({ ...record, inputKeptUntil: null, model: 'test/late' })
      await inLedger(acme.id, 'insert into dead_letter_outbox values (?, ?)', jobId, late)

      await until('the outbox is empty', async () => {
        await callLedger(acme.id, 'poke')
        return (
          (await inLedger(acme.id, 'select 1 from dead_letter_outbox where job_id = ?', jobId)).length === 0
        )
      })

      expect(await letter(dead.id)).toEqual(closed)
    },
  )

  it('is resolved once, with a reason that the audit log keeps', async () => {
    const { acme, jobId, dead } = await withDeadLetter()
    const headers = { 'Idempotency-Key': randomUUID() }

    const [first, replay] = [await resolve(dead.id, headers), await resolve(dead.id, headers)]
    const again = await resolve(dead.id)

    const resolved = {
      ...dead,
      status: 'resolved',
      redrivable: false,
      redrive_reason: 'It has been resolved already.',
      redrive_conditions: [],
    }
    expect([first.status, first.body]).toEqual([200, resolved])
    expect([replay.status, replay.body]).toEqual([200, resolved])
    expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
    expect([again.status, again.body.type]).toEqual([409, problem('dead-letter-settled')])
    expect(await letter(dead.id)).toEqual(resolved)
    expect(await audited(dead.id)).toEqual([
      { action: 'dead_letter.resolve', operator: clientId, reason: 'the customer has gone' },
    ])
    expect((await redrive(dead.id)).body.detail).toMatch(/resolved/)
    expect(await redrivesOf(acme, jobId)).toEqual([])
  })

  it('that is redriven and resolved at once shows the job that was made, if one was', async () => {
    const { acme, jobId, dead } = await withDeadLetter()

    const [redriven] = await Promise.all([redrive(dead.id), resolve(dead.id)])

    const [newJobId = null, ...others] = await redrivesOf(acme, jobId)
    expect(others).toEqual([])
    expect(redriven.status).toBe(newJobId ? 202 : 409)
    expect(await letter(dead.id)).toMatchObject({
      status: newJobId ? 'redriven' : 'resolved',
      new_job_id: newJobId,
    })
  })
})

describe('working on dead letters', () => {
  const verbs = ['/redrive', '/resolve']

  it.each(verbs)('needs a reason: %s', async (verb) => {
    const { dead } = await withDeadLetter()
    const ops = await operator()

    for (const body of [{}, { reason: '' }]) {
      const answer = await ops.post(path(dead.id, verb), body)
      expect([answer.status, answer.body.errors[0]?.pointer]).toEqual([400, '/reason'])
    }
    const unknown = await ops.post(path(dead.id, verb), { reason: 'a spec', force: true })
    expect([unknown.status, unknown.body.errors[0]?.pointer]).toEqual([400, '/force'])
    const key = await ops.post(path(dead.id, verb), { reason: 'a spec' }, { 'Idempotency-Key': 'a b' })
    expect([key.status, key.body.type]).toEqual([400, problem('idempotency-key-invalid')])
    expect(await letter(dead.id)).toEqual(dead)
  })

  it.each([...verbs.map((verb) => path('dl_unknown', verb)), '/ops/v1/dead_letters/redrive'])(
    'is for operators who may write: %s',
    async (url) => {
      const { clientSecret } = inject('stack').operator
      const reader = new Client(await fetchToken(clientId, clientSecret, 'ops:read'))
      const acme = await newTenant()
      const json = { reason: 'a spec', tenant_id: acme.id }
      const body = url.includes('unknown') ? { reason: 'a spec' } : json

      const [asReader, asTenant] = [await reader.post(url, body), await acme.client.post(url, body)]
      const nobody = await request('POST', url, { json: body })

      expect([asReader.status, asReader.body.type]).toEqual([403, problem('insufficient-scope')])
      expect(asReader.headers.get('WWW-Authenticate')).toContain('scope="ops:write"')
      expect([asTenant.status, nobody.status]).toEqual([401, 401])
    },
  )

  it.each(verbs)('of no dead letter is not found: %s', async (verb) => {
    const { status, body } = await (await operator()).post(path('dl_unknown', verb), { reason: 'a spec' })

    expect([status, body.type]).toEqual([404, problem('not-found')])
  })
})
