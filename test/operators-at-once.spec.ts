import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { audited } from './support/dead-letters.ts'
import { newTenant, operator } from './support/tenant.ts'
import { removeTenant } from './support/tenant-deletions.ts'

const reason = 'a spec'
const path = (id: string, verb = '') => `/ops/v1/tenants/${id}${verb}`

describe('operators who act at once', () => {
  it('create a tenant once, and who comes second is told that there is one', async () => {
    const ops = await operator()
    const id = `t-${randomUUID()}`

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ops.post('/ops/v1/tenants', { id, reason })),
    )

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(400)])
    const refused = answers.filter(({ status }) => status === 400)
    expect(refused.map(({ body }) => body.errors[0]?.pointer)).toEqual(Array(7).fill('/id'))
    expect(await audited(id)).toHaveLength(1)
    await removeTenant(id)
  })

  it('change a tenant before it is deleted, or are told that it is', async () => {
    const ops = await operator()
    for (let round = 0; round < 6; round++) {
      const { id } = await newTenant()
      const issuer = { issuer: `http://127.0.0.1:9/${randomUUID()}`, scopes: ['jobs:read'], reason }

      const [deleted, ...answers] = await Promise.all([
        removeTenant(id),
        ops.post(path(id, '/suspend'), { reason }),
        ops.post(path(id, '/resume'), { reason }),
        ops.post(path(id, '/clients'), { name: 'late', reason }),
        ops.post(path(id, '/issuers'), issuer),
        ops.post('/ops/v1/intake/pause', { tenant_id: id, reason }),
      ])

      expect(deleted.status).toBe(202)
      for (const { status, body } of answers)
        if (status !== 200 && status !== 201)
          expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('being deleted')])
      expect((await ops.get(path(id))).body.status).toBe('deleting')
    }
  })

  it('are asked to come again when too many change the same limits', async () => {
    const { id } = await newTenant()
    const ops = await operator()
    const patch = (limit: number) => ops.patch(path(id), { limits: { requests_per_minute: limit }, reason })

    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => patch(100 + at)))

    for (const { status, headers } of answers)
      if (status !== 200) expect([status, headers.get('Retry-After')]).toEqual([503, '5'])
    const changed = answers.filter(({ status }) => status === 200)
    expect(changed.length).toBeGreaterThan(0)
    expect((await audited(id)).length).toBe(1 + changed.length)
  })
})

describe('of a tenant that is being deleted', () => {
  it('the intake is not paused, so that no pause outlives it', async () => {
    const { id } = await newTenant()
    await removeTenant(id)

    const { status, body } = await (await operator()).post('/ops/v1/intake/pause', { tenant_id: id, reason })

    expect([status, body.errors]).toEqual([
      400,
      [{ pointer: '/tenant_id', detail: 'The tenant is being deleted.' }],
    ])
  })

  it('what was answered before is answered again', async () => {
    const acme = await newTenant()
    const ops = await operator()
    const headers = { 'Idempotency-Key': randomUUID() }
    const create = () => ops.post(path(acme.id, '/clients'), { name: 'one', reason }, headers)
    const first = await create()
    await removeTenant(acme.id)

    const again = await create()

    expect([again.status, again.body]).toEqual([201, { ...first.body, client_secret: null }])
  })
})
