import { describe, expect, it } from 'vitest'
import { claim, eventsOf, letStart, settle, withDeadConsumer, withWaitingJob } from './support/consumer.ts'
import { callLedger, inLedger } from './support/control.ts'
import { newTenant, summarizeJob } from './support/tenant.ts'
import { pause } from './support/wait.ts'

describe('a claim', () => {
  it('whose reply was lost gets the same lease again', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/slow' }))
    await acme.reached(id, 'running')
    const [row] = await inLedger<{ claim_id: string }>(acme.id, 'select claim_id from jobs where id = ?', id)

    const again = await claim(acme, id, 1, row?.claim_id)
    const other = await claim(acme, id, 1)

    expect(again.lease).toMatchObject({ jobId: id, attempt: 1, providerKey: `${id}-0` })
    expect(other).toMatchObject({ notHeld: 'not_next' })
    expect(await acme.job(id)).toMatchObject({ attempts: 1 })
  })

  it.each([0, 2, 7])('of attempt %i does not hold when the next is 1', async (attempt) => {
    const { acme, id } = await withWaitingJob()

    expect(await claim(acme, id, attempt)).toMatchObject({ notHeld: 'not_next' })
  })

  it('beyond the limits of the tenant does not hold and costs no attempt', async () => {
    const { acme, id } = await withWaitingJob()

    expect(await claim(acme, id, 1)).toMatchObject({ notHeld: 'over_limit' })
    expect(await acme.job(id)).toMatchObject({ status: 'accepted', attempts: 0 })
  })
})

describe('a job whose model is not allowed any more', () => {
  it('waits without being sent again and again, and takes nobody else his place', async () => {
    const { acme, id } = await withWaitingJob()
    await inLedger(acme.id, "update jobs set model = 'embedded/gone' where id = ?", id)
    await letStart(acme)
    const before = await callLedger<{ calls: number }>(acme.id, 'costs')

    const { id: other } = await acme.submitted()
    await acme.ended(other)
    await pause(3000)

    const after = await callLedger<{ calls: number }>(acme.id, 'costs')
    expect(await acme.job(id)).toMatchObject({ status: 'accepted', attempts: 0 })
    expect(after.calls - before.calls).toBeLessThan(60)
  })
})

describe('a lease', () => {
  it('that is lost is taken over, costs no attempt of a class, and the job then runs alone', async () => {
    const { acme, id } = await withDeadConsumer()
    await letStart(acme)

    const job = await acme.ended(id)

    expect(job).toMatchObject({ status: 'succeeded', attempts: 2 })
    const columns = 'lost_leases, failures'
    const rows = await inLedger(acme.id, `select ${columns} from jobs where id = ?`, id)
    expect(rows).toEqual([{ lost_leases: 1, failures: '{}' }])
  })

  it('that ran out lets its attempt settle as long as no newer claim exists', async () => {
    const { acme, id } = await withDeadConsumer()
    await acme.reached(id, 'retrying')

    expect(await settle(acme, id, 1, 'late, but the only one')).toBe('settled')
    expect(await settle(acme, id, 1, 'again')).toBe('already')

    expect((await acme.result(id)).output.summary).toBe('late, but the only one')
  })

  it('does not let its attempt settle once a newer claim exists', async () => {
    const { acme, id } = await withDeadConsumer()
    await letStart(acme)
    await acme.ended(id)

    expect(await settle(acme, id, 1, 'too late')).toBe('superseded')

    expect((await acme.result(id)).output.summary).not.toBe('too late')
    expect(await eventsOf(acme, id)).toEqual(['job.accepted', 'job.result_available'])
  })

  it('is kept while a call takes longer than one lease', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/slow' }))

    expect(await acme.ended(id, 60_000)).toMatchObject({ status: 'succeeded', attempts: 1 })
  })
})
