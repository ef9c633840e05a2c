import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import {
  afterTwoAttempts,
  deliveriesOf,
  deliveriesReached,
  deliveryOf,
  deliveryReached,
  headersOf,
  onlyDelivered,
  retry,
  setStatus,
} from './support/deliveries.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant } from './support/tenant.ts'
import { pause } from './support/wait.ts'

describe('a retry', () => {
  it.each(['delivered', 'failed', 'held'] as const)(
    'of a delivery that is %s delivers it again',
    async (status) => {
      const acme = await newTenant()
      const receiver = await newReceiver()
      const { secret } = await acme.listens(receiver, ['job.accepted'])
      await acme.submitted()
      const [done] = await deliveriesReached(acme, 'delivered', 1)
      const id = done?.id ?? ''
      if (status !== 'delivered') await setStatus(acme, id, status)
      await pause(1100)

      const { body } = await expectStatus(202, retry(acme, id))

      expect(body).toMatchObject({ id, object: 'delivery', status: 'pending' })
      expect(Date.parse(body.next_attempt_at)).toBeLessThanOrEqual(Date.now() + 1000)
      const [first, second] = await receiver.arrived(2)
      expect(second?.text).toBe(first?.text)
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
      expect(Number(second?.headers['webhook-timestamp'])).toBeGreaterThan(
        Number(first?.headers['webhook-timestamp']),
      )
      expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature'])
      if (second) new Webhook(secret).verify(second.text, headersOf(second))
      await deliveryReached(acme, id, 'delivered', 2)
    },
  )

  it('of a delivery that is to be attempted later makes that now', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver((nth) => (nth < 2 ? 500 : 204))
    await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()
    const { id } = await afterTwoAttempts(acme)

    await expectStatus(202, retry(acme, id))

    // By itself it would come after five minutes.
    expect((await deliveryReached(acme, id, 'delivered', 3)).next_attempt_at).toBeNull()
  })

  it('is made once under an idempotency key, and answered alike', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()
    const { id } = await onlyDelivered(acme)
    const key = { 'Idempotency-Key': randomUUID() }
    const first = await expectStatus(202, retry(acme, id, key))
    await deliveryReached(acme, id, 'delivered', 2)

    const again = await expectStatus(202, retry(acme, id, key))

    expect(again.body).toEqual(first.body)
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
    expect((await deliveryOf(acme, id)).status).toBe('delivered')
  })

  it('works for an endpoint that is disabled', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver((nth) => (nth === 0 ? 410 : 204))
    const endpoint = await acme.listens(receiver, ['job.accepted'])
    await acme.submitted()
    const [held] = await deliveriesReached(acme, 'held', 1)

    await expectStatus(202, retry(acme, held?.id ?? ''))

    await deliveryReached(acme, held?.id ?? '', 'delivered', 2)
    expect((await acme.get(`/v1/webhook_endpoints/${endpoint.id}`)).body.status).toBe('disabled')
  })

  it('is refused once the endpoint has been deleted', async () => {
    const acme = await newTenant()
    const [good, bad] = [await newReceiver(), await newReceiver(() => 500)]
    const endpoints = [await acme.listens(good, ['job.accepted']), await acme.listens(bad, ['job.accepted'])]
    await acme.submitted()
    await deliveriesReached(acme, 'delivered', 1, `endpoint_id=${endpoints[0]?.id}`)
    for (const { id } of endpoints) await expectStatus(204, acme.client.delete(`/v1/webhook_endpoints/${id}`))

    const found = await deliveriesOf(acme)

    expect(found.map(({ status }) => status).sort()).toEqual(['cancelled', 'delivered'])
    for (const { id } of found) {
      const { status, body } = await retry(acme, id)
      expect([status, body.detail]).toEqual([404, expect.stringContaining('deleted')])
    }
  })
})
