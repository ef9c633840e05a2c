import { describe, expect, it } from 'vitest'
import { evict, inLedger } from './support/control.ts'
import { newReceiver } from './support/receiver.ts'
import { newTenant, type Tenant } from './support/tenant.ts'
import { pause, until } from './support/wait.ts'

const HOUR = 3_600_000

/** The endpoint has failed for so long, and its owner was warned so long ago. */
async function agesTo(tenant: Tenant, endpointId: string, failing: number, warned: number | null) {
  const now = Date.now()
  const failingSince = now - failing * HOUR
  const warnedAt = JSON.stringify(warned === null ? null : now - warned * HOUR)
  // An attempt that is recorded meanwhile writes what the ledger still remembers over it.
  await until('the endpoint has that age', async () => {
    await inLedger(
      tenant.id,
      `update webhook_endpoints set health = json_set(health, '$.failingSince', ?, '$.warnedAt', json(?)) where id = ?`,
      failingSince,
      warnedAt,
      endpointId,
    )
    await evict(tenant.id)
    const [row] = await inLedger<{ since: number }>(
      tenant.id,
      `select json_extract(health, '$.failingSince') as since from webhook_endpoints where id = ?`,
      endpointId,
    )
    return row?.since === failingSince
  })
}

const deliveriesTo = (tenant: Tenant, endpointId: string) =>
  inLedger<{ status: string; tries: number }>(
    tenant.id,
    'select status, tries from deliveries where endpoint_id = ? order by event_sequence',
    endpointId,
  )

/** The first attempt at what the endpoint is owed is on record as failed. */
const failedOnce = (tenant: Tenant, endpointId: string) =>
  until('a failed attempt is on record', async () =>
    (await deliveriesTo(tenant, endpointId)).some(({ tries }) => tries > 0),
  )

describe('a receiver that is overloaded', () => {
  it('is left alone for as long as it asks, and then tried by one delivery first', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver(() => ({ status: 503, headers: { 'Retry-After': '6' } }))
    await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()
    const [first] = await receiver.arrived(1)
    for (let nth = 0; nth < 5; nth++) await acme.submitted()
    const [, second] = await receiver.arrived(2)
    await pause(1000)

    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(6000)
    expect(receiver.received).toHaveLength(2)
  })

  it('gets everything once it is well again', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver((nth) => (nth === 0 ? 429 : 204))
    await acme.listens(receiver, ['job.accepted'])
    const ids = []
    for (let nth = 0; nth < 6; nth++) ids.push((await acme.submitted()).id)
    const received = await receiver.arrived(7)

    expect(new Set(received.map(({ event }) => event.data.id))).toEqual(new Set(ids))
  })
})

describe('a receiver that only fails', () => {
  it('is left alone after ten failures in a row', async () => {
    const acme = await newTenant()
    let well = false
    const receiver = await newReceiver(() => (well ? 204 : 500))
    await acme.listens(receiver, ['job.accepted'])
    const ids = []
    for (let nth = 0; nth < 30; nth++) ids.push((await acme.submitted()).id)
    await receiver.arrived(10)
    await pause(2000)

    // Four are under way at once, so three more may be when the tenth is recorded.
    expect(receiver.received.length).toBeLessThanOrEqual(13)
    well = true
    const { received } = receiver
    await until(
      'each has come in the end',
      () => new Set(received.map(({ event }) => event.data.id)).size === 30,
      60_000,
    )
  })

  it('brings a warning to the other endpoints after a day, once', async () => {
    const acme = await newTenant()
    const [failing, watching] = [await newReceiver(() => 500), await newReceiver()]
    const { id } = await acme.listens(failing)
    await acme.listens(watching, ['webhook_endpoint.failing', 'webhook_endpoint.disabled'])
    await acme.submitted()
    await failedOnce(acme, id)
    await agesTo(acme, id, 25, null)

    await acme.submitted()
    const warning = await watching.event('webhook_endpoint.failing')
    await acme.submitted()
    await pause(1500)

    expect(warning.event.data).toMatchObject({
      id,
      object: 'webhook_endpoint',
      status: 'enabled',
      sequence: 1,
      last_error: 'http_status',
    })
    expect(watching.received).toHaveLength(1)
    expect(failing.received.map(({ event }) => event.type)).not.toContain('webhook_endpoint.failing')
  })

  it('disables it after five days, and what it would get is held', async () => {
    const acme = await newTenant()
    const [failing, watching] = [await newReceiver(() => 500), await newReceiver()]
    const { id } = await acme.listens(failing, ['job.accepted'])
    await acme.listens(watching, ['webhook_endpoint.disabled'])
    await acme.submitted()
    await failedOnce(acme, id)
    await agesTo(acme, id, 121, 97)

    await acme.submitted()
    const { event } = await watching.event('webhook_endpoint.disabled')
    const { length: called } = failing.received
    await acme.submitted()
    await pause(1000)

    expect(event.data).toMatchObject({ id, status: 'disabled', disabled_reason: 'failing' })
    expect((await acme.get(`/v1/webhook_endpoints/${id}`)).body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'failing',
    })
    expect((await deliveriesTo(acme, id)).map(({ status }) => status)).toEqual(['held', 'held', 'held'])
    expect(failing.received).toHaveLength(called)
  })

  it('is forgiven by one success', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver((nth) => (nth === 0 ? 500 : 204))
    const { id } = await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()
    await failedOnce(acme, id)
    await acme.submitted()

    await until('its health is as new', async () => {
      const [row] = await inLedger<{ health: string }>(acme.id, 'select health from webhook_endpoints')
      return (JSON.parse(row?.health ?? '{}') as { failures: number }).failures === 0
    })
  })
})

describe('an endpoint that answers 410', () => {
  it('is reported to the others', async () => {
    const acme = await newTenant()
    const [gone, watching] = [await newReceiver(() => 410), await newReceiver()]
    const { id } = await acme.listens(gone, ['job.accepted'])
    await acme.listens(watching, ['webhook_endpoint.disabled'])
    await acme.submitted()

    const { event } = await watching.event('webhook_endpoint.disabled')
    expect(event.data).toMatchObject({ id, disabled_reason: 'gone', status: 'disabled' })
  })
})

describe('an event', () => {
  it('leaves out metadata that would make it larger than 20 kB, and says so', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    await acme.listens(receiver, ['job.accepted'])
    const large = Object.fromEntries(Array.from({ length: 16 }, (_, nth) => [`k${nth}`, 'あ'.repeat(512)]))
    const small = { order: '4711' }
    for (const metadata of [large, small])
      await acme.submitted({ kind: 'summarize', input: { text: 'One sentence.' }, metadata })
    const received = await receiver.arrived(2)

    expect(received.map(({ event }) => event.data).sort((a, b) => a.id.localeCompare(b.id))).toMatchObject([
      { metadata: {}, metadata_omitted: true },
      { metadata: small },
    ])
    for (const { text } of received) expect(Buffer.byteLength(text)).toBeLessThan(20_000)
  })
})
