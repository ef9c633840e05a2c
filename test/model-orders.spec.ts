import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { thresholdsFor } from '../openapi/evaluation-thresholds.ts'
import { Client, fetchToken } from './support/client.ts'
import { claim } from './support/consumer.ts'
import { inDirectory } from './support/control.ts'
import { disableModel, enableModel, UNAPPROVED } from './support/orders.ts'
import { expectStatus, newTenant, operator, summarizeJob, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const job = summarizeJob({ model: UNAPPROVED })
const path = (verb: string, id = UNAPPROVED) => `/ops/v1/models/${encodeURIComponent(id)}/${verb}`

const listed = async (tenant: Tenant) => {
  const { body } = await expectStatus(200, tenant.get('/v1/models?limit=100'))
  return body.data.find(({ id }) => id === UNAPPROVED)
}

const enabling = async (more: object) =>
  (await operator()).post(path('enable'), { reason: 'a spec', ...more })

const evaluated = async (status: string, model = UNAPPROVED, version = '1') => {
  const id = `eval_${randomUUID()}`
  await inDirectory(
    `insert into model_evaluations (id, status, kind, present_model, present_version, candidate_model, candidate_version, thresholds, cases,
      labelled_cases, created_by, reason, created_at, due_at) values (?, ?, 'embed', 'embedded/hash-1', '1', ?, ?, ?, 1, 1, 'spec', 'a spec', 1, 1)`,
    id,
    status,
    model,
    version,
    JSON.stringify(thresholdsFor()),
  )
  return id
}

const lastAct = async () =>
  (
    await inDirectory<{ action: string }>(
      'select action from audit_log where target = ? order by id desc limit 1',
      UNAPPROVED,
    )
  )[0]?.action

/** As if nothing had ever been decided about it. */
async function forgotten() {
  await inDirectory('delete from model_states where model = ?', UNAPPROVED)
  await inDirectory(
    'insert into order_revisions values (1, 1) on conflict (id) do update set revision = revision + 1',
  )
}

describe('a model that nobody has approved', () => {
  it('takes no work, and is enabled by a passing evaluation of its very version alone', async () => {
    await forgotten()
    const acme = await newTenant()

    const refused = await acme.submit(job)
    expect([refused.status, refused.body.errors[0]?.pointer]).toEqual([400, '/model'])
    expect((await acme.client.post('/v1/jobs/estimate', job)).status).toBe(400)
    expect(await listed(acme)).toMatchObject({ enabled: false })
    const useless = [
      {},
      { evaluation_id: 'eval_none' },
      { evaluation_id: await evaluated('failed') },
      { evaluation_id: await evaluated('running') },
      { evaluation_id: await evaluated('passed', 'test/priced') },
      { evaluation_id: await evaluated('passed', UNAPPROVED, '0') },
      { evaluation_id: await evaluated('failed'), override: true },
    ]
    for (const order of useless) {
      const { status, body } = await enabling(order)
      expect([status, body.errors[0]?.pointer], JSON.stringify(order)).toEqual([400, '/evaluation_id'])
    }

    const evaluation_id = await evaluated('passed')
    const enabled = await enableModel(UNAPPROVED, { evaluation_id })

    expect(enabled).toMatchObject({
      id: UNAPPROVED,
      enabled: true,
      approved_by: 'evaluation',
      evaluation_id,
      reason: 'a spec',
      decided_by: expect.stringMatching(/^client_/),
    })
    expect(await lastAct()).toBe('model.enable')
    const { id } = await acme.submitted(job)
    expect(await acme.ended(id)).toMatchObject({ status: 'succeeded' })
    expect(await listed(acme)).toMatchObject({ enabled: true })
  })

  it('is enabled by an explicit override, which the audit log calls by its name', async () => {
    await forgotten()

    const enabled = await enableModel(UNAPPROVED, { override: true })

    expect(enabled).toMatchObject({ enabled: true, approved_by: 'override', evaluation_id: null })
    expect(await lastAct()).toBe('model.enable_override')
  })
})

describe('a model that is disabled', () => {
  it('keeps what waits for it waiting, answers old keys, and goes on where it was once it is enabled again', async () => {
    await forgotten()
    await enableModel(UNAPPROVED, { override: true })
    const acme = await newTenant({ jobs_per_minute: 1 })
    const first = await acme.submitted()
    await acme.ended(first.id)
    const key = randomUUID()
    const accepted = await acme.submit(job, key)
    const { id } = accepted.body

    await disableModel(UNAPPROVED)
    await until(
      'its ledger has heard of it',
      async () => (await acme.job(id)).status_reason === 'intake_paused',
    )
    const ops = await operator()
    await ops.patch(`/ops/v1/tenants/${acme.id}`, { limits: { jobs_per_minute: 60 }, reason: 'a spec' })

    expect(await claim(acme, id, 1)).toMatchObject({ notHeld: 'not_allowed' })
    const replay = await acme.submit(job, key)
    const refused = await acme.submit(job)
    expect([replay.status, replay.body.id, refused.status]).toEqual([202, id, 400])
    // What approved it says nothing of the incident, and the incident nothing of that.
    const enabled = await enableModel(UNAPPROVED)
    expect([enabled.approved_by, await lastAct()]).toEqual(['override', 'model.enable'])
    expect(await acme.ended(id)).toMatchObject({ status: 'succeeded' })
  })

  it('in another version has that approval lost', async () => {
    await forgotten()
    await enableModel(UNAPPROVED, { override: true })
    await inDirectory("update model_states set version = '0' where model = ?", UNAPPROVED)

    expect((await enabling({})).status).toBe(400)
  })

  it('waits until the deadline', async () => {
    await forgotten()
    await enableModel(UNAPPROVED, { override: true })
    const acme = await newTenant({ jobs_per_minute: 1 })
    await acme.ended((await acme.submitted()).id)
    const { id } = await acme.submitted({ ...job, deadline_seconds: 5 })
    await disableModel(UNAPPROVED)

    expect(await acme.ended(id)).toMatchObject({ status: 'failed', error: { class: 'deadline_exceeded' } })
  })
})

describe('an operator', () => {
  it('sees all of the catalog, with who decided what', async () => {
    await forgotten()
    await disableModel(UNAPPROVED)

    const { body } = await expectStatus(200, (await operator()).get('/ops/v1/models?limit=100'))

    const find = (id: string) => body.data.find((one) => one.id === id)
    expect(find(UNAPPROVED)).toMatchObject({
      enabled: false,
      configured: true,
      approved_by: null,
      decided_by: expect.stringMatching(/^client_/),
      reason: 'a spec',
    })
    expect(find('embedded/extract-1')).toMatchObject({ enabled: true, approved_by: 'catalog' })
  })

  it.each([
    ['no reason', {}, 400],
    ['an override that is none', { reason: 'a spec', override: false }, 400],
    ['an unknown field', { reason: 'a spec', force: true }, 400],
  ])('cannot enable with %s', async (_, order, status) => {
    expect((await (await operator()).post(path('enable'), order)).status).toBe(status)
  })

  it('may write the slash of an ID as it is', async () => {
    const ops = await operator()
    const { url } = inject('stack')
    // What no client does that is made from the document.
    const answer = await fetch(new URL(`/ops/v1/models/${UNAPPROVED}/disable`, url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${ops.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ reason: 'a spec' }),
    })

    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ id: UNAPPROVED, enabled: false }),
    ])
  })

  it('must name a model that there is, and be allowed to', async () => {
    const ops = await operator()
    const acme = await newTenant()
    const { clientId, clientSecret } = inject('stack').operator
    const reader = new Client(await fetchToken(clientId, clientSecret, 'ops:read'))
    const reason = 'a spec'

    const answers = [
      await ops.post(path('disable', 'acme/none'), { reason }),
      await ops.post(path('disable', 'none'), { reason }),
      await reader.post(path('disable'), { reason }),
      await acme.client.post(path('disable'), { reason }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 403, 401])
  })
})
