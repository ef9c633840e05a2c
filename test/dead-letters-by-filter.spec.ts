import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { mintId, randomBytes } from '../ledger/ids.ts'
import { noOrders } from '../ledger/orders.ts'
import type { Body } from './support/client.ts'
import { callLedger, inDirectory } from './support/control.ts'
import {
  audited,
  changed,
  failedIn,
  letter,
  mended,
  redriveMany,
  redrivesOf,
  resolve,
  withDeadLetter,
} from './support/dead-letters.ts'
import { DAY_MS } from './support/housekeeping.ts'
import { newTenant, operator, type Tenant } from './support/tenant.ts'

const { clientId } = inject('stack').operator

interface Outcome {
  readonly dead_letter_id: string
  readonly outcome: string
  readonly new_job_id: string | null
  readonly reason: string | null
}
const outcomes = ({ data }: Body) => data as unknown as Outcome[]

/** A tenant with this many dead letters, oldest first. What is redriven succeeds, and so leaves no new ones. */
async function withDeadLetters(count: number) {
  const acme = await newTenant()
  const failed: { jobId: string; dead: Body }[] = []
  for (let n = 0; n < count; n++) failed.push(await failedIn(acme))
  for (const { jobId } of failed) await mended(acme, jobId)
  return { acme, failed }
}

const statuses = (failed: { dead: Body }[]) =>
  Promise.all(failed.map(async ({ dead }) => (await letter(dead.id)).status))

const deleteContent = (acme: Tenant, jobId: string) =>
  changed(acme, jobId, 'content_deleted_at = 1, input = null')

describe('a redrive by filter', () => {
  it('redrives what it can, says why it cannot the rest, and leaves that open', async () => {
    const { acme, failed } = await withDeadLetters(3)
    const [first, second, third] = failed
    await deleteContent(acme, second?.jobId ?? '')

    const { status, body } = await redriveMany({ tenant_id: acme.id })

    expect(status).toBe(202)
    expect(body).toMatchObject({
      object: 'redrive_report',
      dry_run: false,
      redriven: 2,
      would_redrive: 0,
      refused: 1,
      has_more: false,
      next_cursor: null,
    })
    const made = expect.stringMatching(/^job_/)
    expect(outcomes(body)).toEqual([
      { dead_letter_id: first?.dead.id, outcome: 'redriven', new_job_id: made, reason: null },
      {
        dead_letter_id: second?.dead.id,
        outcome: 'refused',
        new_job_id: null,
        reason: 'The input has been deleted.',
      },
      { dead_letter_id: third?.dead.id, outcome: 'redriven', new_job_id: made, reason: null },
    ])
    expect(await redrivesOf(acme, third?.jobId ?? '')).toEqual([outcomes(body)[2]?.new_job_id])
    expect(await statuses(failed)).toEqual(['redriven', 'open', 'redriven'])
    expect(await audited(first?.dead.id ?? '')).toEqual([
      { action: 'dead_letter.redrive', operator: clientId, reason: 'the credential has been renewed' },
    ])
  })

  it('changes nothing in a dry run, which tells what a redrive would come to and needs no reason', async () => {
    const { acme, failed } = await withDeadLetters(3)
    const [first, second, third] = failed
    await deleteContent(acme, second?.jobId ?? '')
    const brokenOff = mintId('job', 0, Date.now(), randomBytes)
    const request = { deadLetterId: third?.dead.id, jobId: third?.jobId, newJobId: brokenOff }
    await callLedger(acme.id, 'redriveJobs', [request], noOrders)

    const ops = await operator()
    const { status, body } = await ops.post('/ops/v1/dead_letters/redrive', {
      tenant_id: acme.id,
      dry_run: true,
    })

    expect(status).toBe(200)
    expect(body).toMatchObject({ dry_run: true, redriven: 0, would_redrive: 2, refused: 1 })
    expect(outcomes(body).map(({ outcome, new_job_id }) => [outcome, new_job_id])).toEqual([
      ['would_redrive', null],
      ['refused', null],
      ['would_redrive', brokenOff],
    ])
    expect(await Promise.all(failed.map(({ dead }) => letter(dead.id)))).toEqual(
      failed.map(({ dead }) => dead),
    )
    expect(await redrivesOf(acme, first?.jobId ?? '')).toEqual([])
  })

  it('goes on behind what it looked at, by limit and cursor', async () => {
    const { acme, failed } = await withDeadLetters(3)
    await deleteContent(acme, failed[0]?.jobId ?? '')
    const filter = { tenant_id: acme.id, limit: 1 }

    const first = await redriveMany(filter)
    const second = await redriveMany({ ...filter, cursor: first.body.next_cursor })
    const third = await redriveMany({ ...filter, cursor: second.body.next_cursor })

    const looked = [first, second, third].map(({ body }) => outcomes(body))
    expect(looked.map((page) => page.map(({ dead_letter_id }) => dead_letter_id))).toEqual(
      failed.map(({ dead }) => [dead.id]),
    )
    expect(looked.flat().map(({ outcome }) => outcome)).toEqual(['refused', 'redriven', 'redriven'])
    expect([first, second, third].map(({ body }) => body.has_more)).toEqual([true, true, false])
    const foreign = await redriveMany({ class: 'internal', cursor: first.body.next_cursor })
    expect([foreign.status, foreign.body.errors[0]?.pointer]).toEqual([400, '/cursor'])
  })

  it('reaches across tenants, by class, queue and time, open letters only', async () => {
    const [one, other, third] = await Promise.all([withDeadLetter(), withDeadLetter(), withDeadLetter()])
    const failure = `spec_${randomUUID()}`
    for (const { dead } of [one, other, third])
      await inDirectory('update dead_letters set class = ? where id = ?', failure, dead.id)
    await resolve(third.dead.id)
    const before = new Date(Date.now() - DAY_MS).toISOString()
    const none = [
      { class: failure, queue: 'jobs-slow' },
      { class: failure, created_before: before },
      { class: failure, created_after: new Date(Date.now() + DAY_MS).toISOString() },
      { class: 'no_such_class', queue: 'jobs' },
    ]
    for (const filter of none) expect((await redriveMany(filter)).body.data).toEqual([])

    const { body } = await redriveMany({
      class: failure,
      queue: 'jobs',
      created_after: before,
      status: 'open',
    })

    expect(body).toMatchObject({ redriven: 2, refused: 0 })
    expect(await statuses([one, other, third])).toEqual(['redriven', 'redriven', 'resolved'])
  })

  it('takes what was created at the very time that a period begins with, and not at the one it ends with', async () => {
    const { acme, failed } = await withDeadLetters(2)
    const [first, second] = failed.map(({ dead }) => dead.created_at)

    const { body } = await redriveMany({
      tenant_id: acme.id,
      created_after: first,
      created_before: second,
      dry_run: true,
    })

    expect(outcomes(body).map(({ dead_letter_id }) => dead_letter_id)).toEqual([failed[0]?.dead.id])
  })

  it('makes one job for each letter when two operators ask at once', async () => {
    const { acme, failed } = await withDeadLetters(2)

    const answers = await Promise.all([1, 2].map(() => redriveMany({ tenant_id: acme.id })))

    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    const redriven = answers
      .flatMap(({ body }) => outcomes(body))
      .filter(({ outcome }) => outcome === 'redriven')
    expect(redriven).toHaveLength(2)
    for (const { jobId, dead } of failed) {
      expect(await redrivesOf(acme, jobId)).toHaveLength(1)
      expect(await audited(dead.id)).toHaveLength(1)
    }
  })

  it('is answered alike under its key, and told to wait while the first request runs', async () => {
    const { acme, failed } = await withDeadLetters(1)
    const headers = { 'Idempotency-Key': randomUUID() }
    const send = () => redriveMany({ tenant_id: acme.id }, headers)
    const first = await send()

    const replay = await send()

    expect([replay.status, replay.body]).toEqual([202, first.body])
    expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
    const mine = "response like '%' || ? || '%'"
    const [row] = await inDirectory<{ key_hash: string }>(
      `select key_hash from operator_keys where ${mine}`,
      failed[0]?.dead.id ?? '',
    )
    const running = (since: number) =>
      inDirectory(
        "update operator_keys set response = '', created_at = ? where key_hash = ?",
        since,
        row?.key_hash ?? '',
      )
    await running(Date.now())
    const meanwhile = await send()
    expect([meanwhile.status, meanwhile.headers.get('Retry-After')]).toEqual([409, '5'])
    expect(meanwhile.body.type).toBe('https://api.gateway.test/problems/idempotency-in-progress')
    await running(Date.now() - 61_000)
    expect(await send()).toMatchObject({ status: 202, body: { data: [] } })
  })

  it.each([
    ['no filter', {}, ''],
    ['a status alone', { status: 'open' }, ''],
    ['another status', { status: 'resolved', class: 'internal' }, '/status'],
    ['a limit over 100', { class: 'internal', limit: 101 }, '/limit'],
    ['a filter it does not know', { class: 'internal', job_id: 'job_1' }, '/job_id'],
    ['no reason', { class: 'no_such_class', reason: undefined }, '/reason'],
    ['a time that is none', { created_after: 'yesterday' }, '/created_after'],
    [
      'a period that ends before it begins',
      { created_after: '2026-11-30T10:00:00Z', created_before: '2026-11-30T09:59:59Z' },
      '/created_before',
    ],
  ])('refuses %s', async (_, filter, pointer) => {
    const { status, body } = await redriveMany(filter)

    expect([status, body.errors.map((error) => error.pointer)]).toEqual([400, [pointer]])
  })
})
