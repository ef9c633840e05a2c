import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { createClient } from './support/api-clients.ts'
import { Client, fetchToken } from './support/client.ts'
import { evict, inLedger } from './support/control.ts'
import { whileSuspended } from './support/suspensions.ts'
import { expectStatus, newTenant, operator, summarizeJob, type Tenant } from './support/tenant.ts'
import { mintToken } from './support/tokens.ts'
import { until } from './support/wait.ts'

const CLIENT = 'client_spec'
const clientOf = async ({ id }: Tenant, scope: string) => new Client(await mintToken(id, CLIENT, scope))
const problem = (slug: string) => expect.stringMatching(new RegExp(`/problems/${slug}$`))
const jobsOf = ({ id }: Tenant) => inLedger(id, 'select id from jobs')

async function changePlan({ id }: Tenant, limits: object) {
  const ops = await operator()
  await expectStatus(200, ops.patch(`/ops/v1/tenants/${id}`, { limits, reason: 'a spec' }))
}

describe.concurrent('a key whose request was refused is free', () => {
  const job = summarizeJob()
  const post = ({ client }: Tenant, key: string, json: object = job, type = 'application/json') =>
    client.request('POST', '/v1/jobs', { json, headers: { 'Idempotency-Key': key, 'Content-Type': type } })

  async function expectFree(acme: Tenant, key: string, json: object = job) {
    const { status, headers } = await acme.submit(json, key)
    expect([status, headers.get('Idempotency-Replayed')]).toEqual([202, null])
    const again = await acme.submit(json, key)
    expect([again.status, again.headers.get('Idempotency-Replayed')]).toEqual([202, 'true'])
  }

  it.each<[string, number, string, (acme: Tenant, key: string) => ReturnType<typeof post>]>([
    [
      'for a field',
      400,
      'invalid-request',
      (acme, key) => post(acme, key, summarizeJob({ priority: 'urgent' })),
    ],
    [
      'for a file that is not there',
      400,
      'invalid-request',
      (acme, key) => post(acme, key, { kind: 'summarize', input: { file_id: 'file_none' } }),
    ],
    [
      'for its estimate',
      402,
      'cost-over-limit',
      (acme, key) => post(acme, key, summarizeJob({ model: 'test/priced', max_cost_usd: 0.001 })),
    ],
    [
      'for its scope',
      403,
      'insufficient-scope',
      async (acme, key) =>
        (await clientOf(acme, 'jobs:read')).post('/v1/jobs', job, { 'Idempotency-Key': key }),
    ],
    ['for a suspension', 403, 'tenant-suspended', (acme, key) => whileSuspended(acme, () => post(acme, key))],
    [
      'for its size',
      413,
      'payload-too-large',
      (acme, key) => post(acme, key, { kind: 'summarize', input: { text: 'a'.repeat(1024 * 1024) } }),
    ],
    ['for its type', 415, 'unsupported-media-type', (acme, key) => post(acme, key, job, 'text/plain')],
  ])('%s (%i)', async (_, status, slug, refuse) => {
    const acme = await newTenant()
    const key = randomUUID()

    const answer = await refuse(acme, key)

    expect([answer.status, answer.body.type]).toEqual([status, problem(slug)])
    expect(await jobsOf(acme)).toEqual([])
    await expectFree(acme, key)
    expect(await jobsOf(acme)).toHaveLength(1)
  })

  it('for the budget, once that is raised (402)', async () => {
    const acme = await newTenant({ monthly_budget_usd: 0.005 })
    const [key, priced] = [randomUUID(), summarizeJob({ model: 'test/priced' })]

    const answer = await acme.submit(priced, key)

    expect([answer.status, answer.body.type]).toEqual([402, problem('budget-exhausted')])
    await changePlan(acme, { monthly_budget_usd: null })
    await expectFree(acme, key, priced)
  })

  it('for a full backlog, once there is room (429)', async () => {
    const acme = await newTenant({ max_backlog: 1 })
    const { id } = await acme.submitted(summarizeJob({ model: 'test/hangs' }))
    const key = randomUUID()

    const answer = await acme.submit(job, key)

    expect([answer.status, answer.body.type]).toEqual([429, problem('backlog-full')])
    await expectStatus(200, acme.cancel(id))
    await expectFree(acme, key)
  })

  it('for the rate, once that is raised (429)', async () => {
    const acme = await newTenant({ requests_per_minute: 1 })
    await acme.submit({})
    const key = randomUUID()
    const answer = await until('the rate is used up', async () => {
      const asked = await acme.submit(job, key)
      return asked.status === 429 && asked
    })

    expect(answer.body.type).toEqual(problem('rate-limited'))
    await changePlan(acme, { requests_per_minute: 1000 })
    await evict(acme.id)
    await expectFree(acme, key)
  })

  it('by a fault of ours, once that is mended (5xx)', async () => {
    const acme = await newTenant()
    const key = randomUUID()
    await inLedger(acme.id, 'alter table jobs rename to jobs_away')

    const answer = await acme.submit(job, key)

    expect([answer.status, answer.body.type]).toEqual([500, problem('internal')])
    await inLedger(acme.id, 'alter table jobs_away rename to jobs')
    await expectFree(acme, key)
    expect(await jobsOf(acme)).toHaveLength(1)
  })
})

describe('a first answer', () => {
  it('is for whoever may have it now: a new token of its client, but not one that may no longer write', async () => {
    const acme = await newTenant()
    const key = { 'Idempotency-Key': randomUUID() }
    const ask = async (scope: string) => (await clientOf(acme, scope)).post('/v1/jobs', summarizeJob(), key)
    const first = await expectStatus(202, ask('jobs:write'))

    const rotated = await ask('jobs:write')
    const reader = await ask('jobs:read')
    const held = await whileSuspended(acme, () => ask('jobs:write'))
    const after = await ask('jobs:write jobs:read')

    for (const { status, body, headers } of [rotated, after])
      expect([status, body, headers.get('Idempotency-Replayed')]).toEqual([202, first.body, 'true'])
    expect([reader.status, reader.body.type]).toEqual([403, problem('insufficient-scope')])
    expect([held.status, held.body.type]).toEqual([403, problem('tenant-suspended')])
    for (const { body, headers } of [reader, held]) {
      expect(JSON.stringify(body)).not.toContain(first.body.id)
      expect(headers.get('Idempotency-Replayed')).toBeNull()
    }
    expect(await jobsOf(acme)).toHaveLength(1)
  })

  it('is not for a client that has been disabled', async () => {
    const acme = await newTenant()
    const { client_id, client_secret } = await createClient(acme)
    const { url, strictUrl } = inject('stack')
    const token = await fetchToken(client_id, client_secret)
    const key = { 'Idempotency-Key': randomUUID() }
    const ask = (at: string) => new Client(token, at).post('/v1/jobs', summarizeJob(), key)
    const first = await expectStatus(202, ask(url))

    const ops = await operator()
    await expectStatus(200, ops.post(`/ops/v1/clients/${client_id}/disable`, { reason: 'a spec' }))
    // The gateway that has just let it in may do so for a while.
    const { status, body } = await ask(strictUrl)

    expect([status, body.type]).toEqual([401, problem('unauthenticated')])
    expect(JSON.stringify(body)).not.toContain(first.body.id)
  })

  it("is no other client's, who may use the same key for another request", async () => {
    const [acme, globex] = [await newTenant(), await newTenant()]
    const key = randomUUID()
    const { body: first } = await expectStatus(202, acme.submit(summarizeJob(), key))
    const others = [new Client(await mintToken(acme.id, 'client_other', 'jobs:write')), globex.client]

    for (const client of others) {
      const answer = await client.post('/v1/jobs', summarizeJob({ priority: 'low' }), {
        'Idempotency-Key': key,
      })
      expect([answer.status, answer.headers.get('Idempotency-Replayed')]).toEqual([202, null])
      expect(answer.body.id).not.toBe(first.id)
    }
  })
})
