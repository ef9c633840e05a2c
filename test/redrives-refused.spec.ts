import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { message } from './support/consumer.ts'
import { inDirectory, inLedger, send } from './support/control.ts'
import {
  audited,
  changed,
  deadLetterOf,
  letter,
  mended,
  redrive,
  redrivesOf,
  resolve,
  withDeadLetter,
} from './support/dead-letters.ts'
import { resume, suspend } from './support/suspensions.ts'
import { newTenant, operator } from './support/tenant.ts'
import { until } from './support/wait.ts'

const problem = (slug: string) => `https://api.gateway.test/problems/${slug}`

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
    await suspend(acme)

    const refused = await redrive(dead.id)

    expect([refused.status, refused.body.type]).toEqual([409, problem('not-redrivable')])
    expect(refused.body.detail).toMatch(/suspended/)
    await resume(acme)
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
