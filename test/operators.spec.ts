import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { inDirectory, inLedger } from './support/control.ts'
import { expectStatus, newTenant, operator } from './support/tenant.ts'

const freshId = () => `t-${randomUUID()}`

describe('an operator', () => {
  it('creates a tenant, reads it, and finds it in the list', async () => {
    const ops = await operator()
    const id = freshId()

    const created = await expectStatus(201, ops.post('/ops/v1/tenants', { id, reason: 'a spec' }))

    expect(created.headers.get('Location')).toBe(`https://api.gateway.test/ops/v1/tenants/${id}`)
    expect(created.body).toMatchObject({
      id,
      status: 'active',
      limits: { max_running: 50, test_models: false },
    })
    expect((await ops.get(`/ops/v1/tenants/${id}`)).body).toEqual(created.body)
    expect((await ops.get('/ops/v1/tenants?limit=1')).body.data).toHaveLength(1)
    expect((await ops.get(`/ops/v1/tenants/${freshId()}`)).status).toBe(404)
  })

  it('must give a reason, which the audit log keeps with the name', async () => {
    const ops = await operator()
    const id = freshId()

    const without = await ops.post('/ops/v1/tenants', { id })
    await expectStatus(201, ops.post('/ops/v1/tenants', { id, reason: 'they signed the contract' }))

    expect([without.status, without.body.errors[0]?.pointer]).toEqual([400, '/reason'])
    const rows = await inDirectory(
      'select action, target, reason, operator from audit_log where target = ?',
      id,
    )
    const act = { action: 'tenant.create', target: id, reason: 'they signed the contract' }
    expect(rows).toEqual([{ ...act, operator: expect.stringMatching(/^client_/) }])
  })

  it('cannot create a tenant twice, but may repeat the request under its key', async () => {
    const ops = await operator()
    const id = freshId()
    const headers = { 'Idempotency-Key': randomUUID() }
    const create = () => ops.post('/ops/v1/tenants', { id, reason: 'a spec' }, headers)

    const answers = await Promise.all([create(), create(), create()])
    const otherKey = await ops.post('/ops/v1/tenants', { id, reason: 'a spec' })
    const otherBody = await ops.post('/ops/v1/tenants', { id: freshId(), reason: 'a spec' }, headers)

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect([otherKey.status, otherKey.body.errors[0]?.pointer]).toEqual([400, '/id'])
    expect(otherBody.status).toBe(422)
  })

  it('changes limits beside another operator, and neither change is lost', async () => {
    const acme = await newTenant({ monthly_budget_usd: 9 })
    const ops = await operator()
    const patch = (limits: object) =>
      ops.request('PATCH', `/ops/v1/tenants/${acme.id}`, { json: { limits, reason: 'a spec' } })

    for (let round = 1; round <= 8; round++) {
      await Promise.all([patch({ monthly_budget_usd: round }), patch({ max_running: round })])
      const { body } = await ops.get(`/ops/v1/tenants/${acme.id}`)
      expect(body).toMatchObject({ limits: { monthly_budget_usd: round, max_running: round } })
      const [row] = await inLedger<{ value: string }>(
        acme.id,
        "select value from meta where name = 'standing'",
      )
      expect(JSON.parse(row?.value ?? '').plan).toMatchObject({
        monthly_budget_usd: round,
        max_running: round,
      })
    }
    const { body } = await patch({ monthly_budget_usd: null })
    expect(body).toMatchObject({ limits: { monthly_budget_usd: null, max_running: 8 } })
  })

  it('cannot let more run than there may be, neither at once nor in two steps nor beside another operator', async () => {
    const ops = await operator()
    const create = (limits: object) =>
      ops.post('/ops/v1/tenants', { id: freshId(), limits, reason: 'a spec' })
    const { id } = await newTenant({ max_running: 5 })
    const patch = (limits: object) => ops.patch(`/ops/v1/tenants/${id}`, { limits, reason: 'a spec' })

    const created = await create({ max_running: 3, max_backlog: 2 })
    const patched = await patch({ max_backlog: 4 })
    const roomy = await create({ max_backlog: 2 })

    expect([created, patched].map(({ status, body }) => [status, body.errors[0]?.pointer])).toEqual([
      [400, '/limits/max_running'],
      [400, '/limits/max_backlog'],
    ])
    expect(roomy.body).toMatchObject({ limits: { max_running: 2, max_backlog: 2 } })
    const both = await Promise.all([patch({ max_running: 9 }), patch({ max_backlog: 8 })])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const { body } = await ops.get(`/ops/v1/tenants/${id}`)
    expect(body.limits.max_running).toBeLessThanOrEqual(body.limits.max_backlog ?? 0)
  })

  it('lists a tenant whose budget has been taken away', async () => {
    const ops = await operator()
    // The last ID of all comes first.
    const id = `zz-${randomUUID()}`
    const limits = { monthly_budget_usd: 9 }
    await expectStatus(201, ops.post('/ops/v1/tenants', { id, limits, reason: 'a spec' }))
    const patch = { limits: { monthly_budget_usd: null }, reason: 'a spec' }
    const { body } = await expectStatus(200, ops.patch(`/ops/v1/tenants/${id}`, patch))

    const { body: page } = await expectStatus(200, ops.get('/ops/v1/tenants?limit=1'))

    expect(page.data).toEqual([body])
  })

  it('shows the secret of a client once, also when the request is repeated', async () => {
    const acme = await newTenant()
    const ops = await operator()
    const headers = { 'Idempotency-Key': randomUUID() }
    const create = () =>
      ops.post(`/ops/v1/tenants/${acme.id}/clients`, { name: 'one', reason: 'a spec' }, headers)

    const [first, replay] = [await create(), await create()]

    expect(first.body.client_secret).toMatch(/^gws_/)
    expect(replay.body).toEqual({ ...first.body, client_secret: null })
    const location = `https://api.gateway.test/ops/v1/tenants/${acme.id}/clients/${first.body.client_id}`
    for (const { headers } of [first, replay]) expect(headers.get('Location')).toBe(location)
    expect(replay.headers.get('Idempotency-Replayed')).toBe('true')
    const stored = await inDirectory('select * from clients join operator_keys')
    expect(JSON.stringify(stored)).not.toContain(first.body.client_secret)
  })
})
