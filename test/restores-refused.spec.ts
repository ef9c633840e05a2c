import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { Client, fetchToken } from './support/client.ts'
import { inDirectory } from './support/control.ts'
import { newTenant, operator } from './support/tenant.ts'

const DAY_MS = 86_400_000
const reason = 'a spec'
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

describe('a restore', () => {
  it('changes nothing where no history is kept, as in the local run', async () => {
    const [acme, ops] = [await newTenant(), await operator()]
    const path = `/ops/v1/tenants/${acme.id}`

    const { status, body } = await ops.post(`${path}/restore`, { to: new Date().toISOString(), reason })

    expect([status, body.type]).toEqual([503, expect.stringMatching(/unavailable$/)])
    expect(body.detail).toMatch(/no history/)
    expect((await ops.get(path)).body).toMatchObject({ held: false, restore_epoch: 0 })
    expect(
      await inDirectory("select id from audit_log where target = ? and action = 'tenant.restore'", acme.id),
    ).toEqual([])
    expect((await acme.submit()).status).toBe(202)
  })

  it.each([
    ['in the future', inDays(1)],
    ['longer ago than history is kept', inDays(-31)],
    ['before the tenant was there', inDays(-1)],
  ])('to a point %s is refused', async (_, to) => {
    const [acme, ops] = [await newTenant(), await operator()]

    const { status, body } = await ops.post(`/ops/v1/tenants/${acme.id}/restore`, { to, reason })

    expect([status, body.errors[0]?.pointer]).toEqual([400, '/to'])
  })

  it('must say where to and why, of a tenant that there is, by somebody who may', async () => {
    const [acme, ops] = [await newTenant(), await operator()]
    const { clientId, clientSecret } = inject('stack').operator
    const reader = new Client(await fetchToken(clientId, clientSecret, 'ops:read'))
    const [path, to] = [`/ops/v1/tenants/${acme.id}/restore`, new Date().toISOString()]

    const answers = [
      await ops.post(path, { to }),
      await ops.post(path, { reason }),
      await ops.post(path, { to: 'yesterday', reason }),
      await ops.post(`/ops/v1/tenants/t-${randomUUID()}/restore`, { to, reason }),
      await reader.post(path, { to, reason }),
      await acme.client.post(path, { to, reason }),
      await ops.post(`/ops/v1/tenants/${acme.id}/release`, {}),
    ]

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 404, 403, 401, 400])
  })
})
