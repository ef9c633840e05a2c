import { describe, expect, inject, it } from 'vitest'
import { Client, fetchToken } from './support/client.ts'
import { inDirectory } from './support/control.ts'
import { pauseIntake, resumeIntake } from './support/orders.ts'
import { expectStatus, newTenant, operator } from './support/tenant.ts'

const linesOf = (id: string) =>
  inDirectory<{ action: string }>('select action from audit_log where target like ? order by id', `%${id}%`)

describe('an operator who orders the intake', () => {
  it('pauses twice as once, and resumes what is not paused; the answer names what holds', async () => {
    const acme = await newTenant()
    const scope = { tenant_id: acme.id, kind: 'embed' }
    const whole = { tenant_id: acme.id }

    const first = await pauseIntake(scope)
    const second = await pauseIntake({ ...scope, accepted_work: 'run' })
    const both = await pauseIntake(whole)
    const left = await resumeIntake(scope)
    const again = await resumeIntake(scope)
    const none = await resumeIntake(whole)

    const held = { ...scope, model: null, object: 'intake_pause', reason: 'a spec' }
    expect(first).toMatchObject({ object: 'intake', ...scope, pauses: [{ ...held, accepted_work: 'hold' }] })
    expect(second.pauses).toEqual([expect.objectContaining({ ...held, accepted_work: 'run' })])
    expect(both.pauses).toHaveLength(2)
    for (const { pauses } of [left, again])
      expect(pauses).toEqual([expect.objectContaining({ tenant_id: acme.id, kind: null })])
    expect(none.pauses).toEqual([])
    const actions = (await linesOf(acme.id)).map(({ action }) => action).slice(1)
    expect(actions).toEqual([...Array(3).fill('intake.pause'), ...Array(3).fill('intake.resume')])
  })

  it('and another who pause and resume at once leave everybody of one mind', async () => {
    const acme = await newTenant()
    const scope = { tenant_id: acme.id }

    for (let round = 0; round < 5; round++) {
      await Promise.all([pauseIntake(scope), resumeIntake(scope), pauseIntake(scope), resumeIntake(scope)])
      const rows = await inDirectory('select id from intake_pauses where tenant_id = ?', acme.id)
      expect((await acme.submit()).status).toBe(rows.length === 0 ? 202 : 503)
    }
    await resumeIntake(scope)
  })

  it.each([
    ['no reason', { reason: undefined }, '/reason'],
    ['an unknown kind', { kind: 'translate' }, '/kind'],
    ['an unknown model', { model: 'acme/none' }, '/model'],
    ['an unknown tenant', { tenant_id: 't-none' }, '/tenant_id'],
    ['an unknown field', { models: [] }, '/models'],
    ['another word for what was accepted', { accepted_work: 'drop' }, '/accepted_work'],
  ])('cannot pause with %s', async (_, more, pointer) => {
    const acme = await newTenant()
    const ops = await operator()

    const scope = { tenant_id: acme.id, reason: 'a spec', ...more }
    const { status, body } = await ops.post('/ops/v1/intake/pause', scope)

    expect([status, body.errors[0]?.pointer]).toEqual([400, pointer])
  })

  it('who may only read cannot pause', async () => {
    const acme = await newTenant()
    const { clientId, clientSecret } = inject('stack').operator
    const reader = new Client(await fetchToken(clientId, clientSecret, 'ops:read'))
    const order = { tenant_id: acme.id, reason: 'a spec' }

    const answers = [
      await reader.post('/ops/v1/intake/pause', order),
      await reader.post('/ops/v1/intake/resume', order),
      await acme.client.post('/ops/v1/intake/pause', order),
    ]

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 401])
    await expectStatus(200, reader.get('/ops/v1/intake'))
    expect((await acme.submit()).status).toBe(202)
  })
})
