import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { askBySecret, createClient } from './support/api-clients.ts'
import { embedBatch, endedBatch, submittedBatch } from './support/batches.ts'
import { contentOf } from './support/control.ts'
import { audited, failedIn } from './support/dead-letters.ts'
import { newReceiver } from './support/receiver.ts'
import { largeJob, succeeded } from './support/retention.ts'
import { expectStatus, newClient, newTenant, operator, summarizeJob, Tenant } from './support/tenant.ts'
import {
  leftOf,
  nothingLeft,
  removedTenant,
  removeTenant,
  tablesNaming,
  tenantOf,
} from './support/tenant-deletions.ts'
import { uploaded } from './support/uploads.ts'

/** With something of everything that a tenant can own. */
async function wealthy(): Promise<Tenant> {
  const { id } = await newTenant()
  const acme = new Tenant(id, await newClient(id))
  const ops = await operator()
  const issuer = { issuer: `http://127.0.0.1:9/${randomUUID()}`, scopes: ['jobs:read'], reason: 'a spec' }
  await acme.listens(await newReceiver())
  await Promise.all([
    expectStatus(201, ops.post(`/ops/v1/tenants/${id}/issuers`, issuer, { 'Idempotency-Key': randomUUID() })),
    uploaded(acme, 'a file of text'),
    succeeded(acme, largeJob()),
    failedIn(acme),
    submittedBatch(acme, embedBatch(3)).then((batch) => endedBatch(acme, batch.id)),
  ])
  return acme
}

describe('a tenant that is deleted', () => {
  it('is gone with all that it owned, but for the audit log', async () => {
    const acme = await wealthy()
    expect((await contentOf(acme.id)).length).toBeGreaterThan(4)
    expect(await tablesNaming(acme.id)).toEqual(
      expect.arrayContaining(['clients', 'dead_letters', 'issuers', 'operator_keys', 'tenants']),
    )

    const { status, body, headers } = await removeTenant(acme.id)

    expect([status, body.status]).toEqual([202, 'deleting'])
    expect(headers.get('Location')).toBe(`https://api.gateway.test/ops/v1/tenants/${acme.id}`)
    expect((await tenantOf(acme.id)).body).toEqual(body)
    await removedTenant(acme.id)
    expect(await leftOf(acme.id)).toEqual(nothingLeft)
    const act = { action: 'tenant.delete', reason: 'they left', operator: expect.any(String) }
    expect(await audited(acme.id)).toContainEqual(act)
  })

  it('has no unfinished work, unless the operator says so', async () => {
    const acme = await newTenant()
    await acme.submitted(summarizeJob({ model: 'test/hangs' }))
    await submittedBatch(acme, embedBatch(2, { model: 'test/batch-stuck' }))

    const refused = await removeTenant(acme.id)

    expect([refused.status, refused.body.type, refused.body.detail]).toEqual([
      409,
      'https://api.gateway.test/problems/tenant-busy',
      'Unfinished jobs: 1. Unfinished batches: 1.',
    ])
    expect((await acme.submit()).status).toBe(202)
    await expectStatus(202, removeTenant(acme.id, { force: true }))
    await removedTenant(acme.id)
    expect(await leftOf(acme.id)).toEqual(nothingLeft)
  })

  it('lets nobody in from that moment on, and cannot be changed any more', async () => {
    const acme = await newTenant()
    const { id } = acme
    const client = await createClient(acme)
    await acme.submitted()
    const ops = await operator()
    const path = `/ops/v1/tenants/${id}`
    const reason = 'a spec'
    await expectStatus(202, removeTenant(id, { force: true }))

    expect((await acme.get('/v1/jobs')).status).toBe(401)
    expect((await acme.submit()).status).toBe(401)
    expect((await askBySecret(client.client_id, client.client_secret)).status).toBe(401)
    const refused = await Promise.all([
      ops.request('PATCH', path, { json: { limits: { max_running: 1 }, reason } }),
      ops.post(`${path}/suspend`, { reason }),
      ops.post(`${path}/resume`, { reason }),
      ops.post(`${path}/clients`, { name: 'late', reason }),
      ops.post(`${path}/issuers`, { issuer: 'http://127.0.0.1:9/late', scopes: ['jobs:read'], reason }),
      ops.post('/ops/v1/tenants', { id, reason }),
    ])
    expect(refused.map(({ status, body }) => [status, /being deleted/.test(body.detail)])).toEqual(
      Array(6).fill([400, true]),
    )
    expect(await tenantOf(id)).toMatchObject({ status: 200, body: { status: 'deleting' } })
  })

  it('is so once, whoever says it, and however often', async () => {
    const { id } = await newTenant()
    const headers = { 'Idempotency-Key': randomUUID() }

    const answers = await Promise.all([
      removeTenant(id, {}, headers),
      removeTenant(id),
      removeTenant(id, { force: true }),
      removeTenant(id, {}, headers),
    ])

    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(Array(4).fill([202, 'deleting']))
    expect((await removeTenant(id)).status).toBe(202)
    const acts = (await audited(id)).map(({ action }) => action)
    expect(acts).toEqual(['tenant.create', 'tenant.delete'])
    await removedTenant(id)
    expect((await removeTenant(id)).status).toBe(404)
    expect((await removeTenant(id, {}, headers)).status).toBe(404)
  })

  it('leaves its ID to another, which meets nothing of it', async () => {
    const { id } = await newTenant()
    const created = { id, limits: { test_models: true }, reason: 'they came back' }
    const headers = { 'Idempotency-Key': 'one' }
    const before = new Tenant(id, await newClient(id))
    const old = await before.submitted()
    await before.ended(old.id)
    await before.client.post('/v1/jobs', summarizeJob(), headers)
    await expectStatus(202, removeTenant(id, { force: true }))
    await removedTenant(id)

    await expectStatus(201, (await operator()).post('/ops/v1/tenants', created))
    const acme = new Tenant(id, await newClient(id))

    expect([401, 503]).toContain((await before.get('/v1/jobs')).status)
    expect((await acme.get('/v1/jobs')).body.data).toEqual([])
    expect((await acme.get(`/v1/jobs/${old.id}`)).status).toBe(404)
    expect((await acme.get('/v1/events')).body.data).toEqual([])
    const answer = await acme.client.post('/v1/jobs', summarizeJob(), headers)
    expect([answer.status, answer.headers.has('Idempotency-Replayed')]).toEqual([202, false])
    expect(await acme.ended(answer.body.id)).toMatchObject({ status: 'succeeded' })
    await expectStatus(202, removeTenant(id))
    await removedTenant(id)
  })
})
