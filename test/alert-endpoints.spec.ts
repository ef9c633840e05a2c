import { describe, expect, inject, it } from 'vitest'
import { alertPath, createAlertEndpoint, operatorsListen, refusedModel, toldTimes } from './support/alerts.ts'
import { Client, fetchToken } from './support/client.ts'
import { inDirectory, tick } from './support/control.ts'
import { ENDPOINT_URL } from './support/endpoints.ts'
import { newReceiver } from './support/receiver.ts'
import { verifiesBy } from './support/signatures.ts'
import { expectStatus, newTenant, operator } from './support/tenant.ts'
import { until } from './support/wait.ts'

const because = { reason: 'a spec' }

describe('an endpoint for alerts', () => {
  it('is created with its secret, which is never shown again, read, and listed', async () => {
    const more = { description: 'The pager', signing: 'both', headers: { 'X-Own': 'mine' } }
    const { headers, body } = await expectStatus(201, createAlertEndpoint({ url: ENDPOINT_URL, ...more }))
    const { secret, ...shown } = body
    const ops = await operator()

    expect(headers.get('Location')).toBe(`https://api.gateway.test${alertPath(body.id)}`)
    expect(secret).toMatch(/^whsec_/)
    expect(shown).toEqual({
      id: expect.stringMatching(/^we_/),
      object: 'webhook_endpoint',
      url: ENDPOINT_URL,
      description: 'The pager',
      status: 'enabled',
      disabled_reason: null,
      signing: 'both',
      public_keys: [expect.stringMatching(/^whpk_/)],
      headers: ['X-Own'],
      created_at: expect.any(String),
    })
    expect((await ops.get(alertPath(body.id))).body).toEqual(shown)
    expect((await ops.get(`${alertPath()}?limit=100`)).body.data).toContainEqual(shown)
  })

  it('is tested, with the secret of before and the new one side by side after a rotation', async () => {
    const receiver = await newReceiver()
    const { id, secret } = await operatorsListen(receiver)
    const ops = await operator()

    const rotated = await expectStatus(200, ops.post(alertPath(id, 'rotate_secret'), because))
    const tested = await expectStatus(200, ops.post(alertPath(id, 'test'), because))

    expect(tested.body).toMatchObject({ status_code: 204, error: null })
    const [ping] = await receiver.arrived(1)
    expect(ping?.event.type).toBe('ping')
    expect([secret, rotated.body.secret].map((one) => ping && verifiesBy(one, ping))).toEqual([true, true])
  })

  it('is disabled by a 410, which holds what it is told; enabling sends that', async () => {
    const receiver = await newReceiver((nth) => (nth === 0 ? 410 : 204))
    const { id } = await operatorsListen(receiver)
    const ops = await operator()
    await refusedModel(1)
    await tick()
    await until('it is disabled', async () => (await ops.get(alertPath(id))).body.status === 'disabled')
    const { model } = await refusedModel(1)
    await tick()

    const enabled = await expectStatus(200, ops.post(alertPath(id, 'enable'), because))

    expect(enabled.body).toMatchObject({ status: 'enabled', disabled_reason: null })
    expect(await toldTimes(receiver, model, 1)).toHaveLength(1)
  })

  it('has its deliveries listed, without what the receiver answered', async () => {
    const receiver = await newReceiver(() => ({ status: 500, body: 'what it says' }))
    const { id } = await operatorsListen(receiver)
    const ops = await operator()
    const { model } = await refusedModel(1)
    await tick()
    const [told] = await toldTimes(receiver, model, 1)

    const delivery = await until('the delivery', async () => {
      const { body } = await ops.get(`${alertPath(id)}/deliveries?limit=100`)
      const all = body.data as unknown as { event_id: string; attempts: object[] }[]
      return all.find((one) => one.event_id === told?.event.id && one.attempts.length > 0)
    })

    expect(delivery).toMatchObject({ event_type: 'alert.opened', endpoint_id: id, status: 'pending' })
    expect(delivery.attempts[0]).toEqual({
      at: expect.any(String),
      status_code: 500,
      latency_ms: expect.any(Number),
      error: 'http_status',
    })
  })

  it('is among those whose secrets are sealed again under a new key-encryption key', async () => {
    const { id } = await operatorsListen({ url: ENDPOINT_URL })
    const ops = await operator()

    const { body } = await expectStatus(200, ops.post(alertPath('reseal'), because))

    expect(body).toMatchObject({ tenant_id: null, object: 'resealing', resealed: 0, unreadable: 0 })
    expect((body as unknown as { sealed: number }).sealed).toBeGreaterThanOrEqual(2)
    expect((await ops.get(alertPath(id))).status).toBe(200)
  })

  it('is deleted, and each change has left its line in the audit log', async () => {
    const receiver = await newReceiver()
    const { id } = await operatorsListen(receiver)
    const ops = await operator()
    for (const verb of ['rotate_secret', 'test', 'enable', 'delete'])
      await expectStatus(200, ops.post(alertPath(id, verb), { reason: `to ${verb}` }))

    expect((await ops.get(alertPath(id))).status).toBe(404)
    expect(
      await inDirectory('select action, reason from audit_log where target = ? order by id', id),
    ).toEqual(
      ['create', 'rotate_secret', 'test', 'enable', 'delete'].map((verb) => ({
        action: `alert_endpoint.${verb}`,
        reason: verb === 'create' ? 'a spec' : `to ${verb}`,
      })),
    )
  })
})

describe('what is refused', () => {
  it.each([
    ['a URL that leads nowhere public', { url: 'https://10.0.0.1/hooks' }, '/url'],
    ['a URL that is not of the web', { url: 'ftp://hooks.acme.com/' }, '/url'],
    ['no URL', {}, '/url'],
    ['no reason', { url: ENDPOINT_URL, reason: undefined }, '/reason'],
    ['a header that is not to be set', { url: ENDPOINT_URL, headers: { Host: 'a' } }, '/headers/Host'],
    ['types of events', { url: ENDPOINT_URL, event_types: ['job.*'] }, '/event_types'],
  ])('is %s', async (_, body, pointer) => {
    const answer = await createAlertEndpoint(body)

    expect([answer.status, answer.body.errors[0]?.pointer]).toEqual([400, pointer])
  })

  it('are changes by one who may only read, and anything by a tenant', async () => {
    const { clientId, clientSecret } = inject('stack').operator
    const reader = new Client(await fetchToken(clientId, clientSecret, 'ops:read'))
    const { id } = await operatorsListen({ url: ENDPOINT_URL })
    const acme = await newTenant()

    const changes = [
      alertPath(),
      ...['rotate_secret', 'test', 'enable', 'delete'].map((verb) => alertPath(id, verb)),
    ]
    const answers = await Promise.all(changes.map((path) => reader.post(path, because)))

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect((await reader.get(alertPath(id))).status).toBe(200)
    expect((await acme.get(alertPath())).status).toBe(401)
    expect((await acme.get('/ops/v1/alerts')).status).toBe(401)
  })

  it('is an endpoint that is not there, or a tenant’s', async () => {
    const [acme, ops] = [await newTenant(), await operator()]
    const { id } = await acme.listens({ url: ENDPOINT_URL })

    for (const answer of [
      await ops.get(alertPath(id)),
      await ops.post(alertPath(id, 'delete'), because),
      await ops.get(`${alertPath(id)}/deliveries`),
    ])
      expect(answer.status).toBe(404)
    expect(await inDirectory('select * from audit_log where target = ?', id)).toEqual([])
    expect((await acme.get(`/v1/webhook_endpoints/${id}`)).status).toBe(200)
  })

  it.each(['alert.opened', 'alert.*'])('is a tenant that wants to hear %s', async (type) => {
    const acme = await newTenant()

    const answer = await acme.client.post('/v1/webhook_endpoints', { url: ENDPOINT_URL, event_types: [type] })

    expect([answer.status, answer.body.errors[0]?.pointer]).toEqual([400, '/event_types/0'])
  })
})
