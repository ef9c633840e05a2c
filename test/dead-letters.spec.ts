import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { mintId, randomBytes } from '../ledger/ids.ts'
import { Client, fetchToken, request } from './support/client.ts'
import { callLedger, inDirectory, inLedger, tick } from './support/control.ts'
import {
  audited,
  letter,
  path,
  redrive,
  redrivesOf,
  resolve,
  withDeadLetter,
} from './support/dead-letters.ts'
import { DAY_MS } from './support/housekeeping.ts'
import { newTenant, operator } from './support/tenant.ts'
import { until } from './support/wait.ts'

const { clientId } = inject('stack').operator
const problem = (slug: string) => `https://api.gateway.test/problems/${slug}`

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

    for (const body of [{}, { reason: '' }, { reason: '     ' }]) {
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

describe('dead letters', () => {
  it('go after a year, with their lines in the audit log kept', async () => {
    const insert = (at: number) => {
      const id = mintId('dl', 0, at, randomBytes)
      const columns = 'id, queue, class, attempts, status, redrivable, redrive_reason, redrive_conditions'
      const sql = `insert into dead_letters (${columns}, created_at, review_by) values (?, 'jobs', 'internal', 1, 'open', 0, '', '[]', ?, ?)`
      return inDirectory(sql, id, at, at).then(() => id)
    }
    const [old, young] = [
      await insert(Date.now() - 366 * DAY_MS),
      await insert(Date.now() - 364 * DAY_MS),
    ] as const
    await resolve(old)

    await tick()

    const ops = await operator()
    await until('the old one is gone', async () => (await ops.get(path(old))).status === 404)
    expect((await ops.get(path(young))).status).toBe(200)
    expect(await audited(old)).toHaveLength(1)
  })
})
