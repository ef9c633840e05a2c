/** What an integration needs besides webhooks that arrive: a test, a change of secrets, a look back, what was missed once more. */
import { Webhook } from 'standardwebhooks'
import type { FeedEvent, Gateway } from '../../sdk/src/index.ts'
import { claim, eventually } from './claim.ts'
import { got, note, quote, sent, step, why } from './narrator.ts'
import type { Delivery, Receiver } from './receiver.ts'

export async function testEndpoint(acme: Gateway, endpointId: string): Promise<void> {
  step('Trying the endpoint')
  sent(`POST /v1/webhook_endpoints/${endpointId}/test`)
  const { status_code, latency_ms, error } = await acme.webhookEndpoints.test(endpointId)
  claim(status_code === 204 && error === null, 'the ping is taken')
  got(`200  the receiver answered ${status_code} after ${latency_ms} ms`)
  why('A ping, signed like every webhook: whether all is well is known before the first job depends on it.')
}

export async function rotateSecret(acme: Gateway, endpointId: string, receiver: Receiver): Promise<void> {
  step('A new secret, without losing a webhook')
  const rotation = { overlap_seconds: 3600 }
  sent(`POST /v1/webhook_endpoints/${endpointId}/rotate_secret    ${JSON.stringify(rotation)}`)
  const { secret } = await acme.webhookEndpoints.rotateSecret(endpointId, rotation)
  claim(secret !== null && secret !== receiver.secret, 'the secret is a new one')
  got(`200  secret ${secret.slice(0, 10)}… (shown this once)`)
  const input = { text: 'Everyone has the right to rest.' }
  const job = await acme.jobs.create({ kind: 'summarize', input })
  const { headers, body: bytes } = await receiver.delivered('job.accepted', job.id)
  for (const one of [receiver.secret, secret]) new Webhook(one).verify(bytes, headers)
  note('The next webhook carries two signatures; it holds under the old secret and under the new one:')
  for (const signature of (headers['webhook-signature'] ?? '').split(' ')) quote(signature)
  receiver.secret = secret
  why('For an hour both sign, so the receiver can change over whenever it is deployed next.')
}

export async function lookBack(acme: Gateway, endpointId: string, failingId: string): Promise<FeedEvent> {
  step('What was delivered, and how')
  sent(`GET  /v1/deliveries?endpoint_id=${endpointId}&event_type=job.failed`)
  const page = await acme.deliveries.list({ endpoint_id: endpointId, event_type: 'job.failed' }).page()
  const [delivery] = page.data
  claim(delivery?.status === 'delivered', 'the webhook of the failure was delivered')
  const [attempt] = delivery.attempts
  got(`200  ${delivery.id}: ${delivery.status}, ${attempt?.status_code} after ${attempt?.latency_ms} ms`)
  const feed = await acme.events.list({ types: ['job.failed'] }).page()
  const event = feed.data.find(({ data }) => data.id === failingId)
  claim(event?.id === delivery.event_id, 'the feed tells the same event')
  note(`GET /v1/events tells the same without any receiver: ${event.id}`)
  why('Every attempt can be looked at for 30 days, and the feed has each event in one fixed order.')
  return event
}

export async function replay(
  acme: Gateway,
  endpointId: string,
  lost: FeedEvent,
  receiver: Receiver,
): Promise<void> {
  step('The receiver lost its database: the same again')
  const until = new Date(Date.parse(lost.timestamp) + 1).toISOString()
  const range = { since: lost.timestamp, until, event_types: [lost.type] }
  sent(`POST /v1/webhook_endpoints/${endpointId}/replay    ${JSON.stringify(range)}`)
  const { deliveries } = await acme.webhookEndpoints.replay(endpointId, range)
  claim(deliveries === 1, `one webhook is sent again, not ${deliveries}`)
  got(`202  ${deliveries} to deliver`)
  const [first, again] = await eventually('the webhook comes again', 20, () => {
    const all = receiver.deliveries.filter(({ event }) => event.id === lost.id)
    return all.length > 1 ? all : null
  })
  claim(again?.body === first?.body, 'the bytes are the same')
  const signed = (one: Delivery | undefined) => one?.headers['webhook-signature']
  claim(signed(again) !== signed(first), 'the signature is fresh')
  note(`${lost.id} came again: the same ID and bytes, a fresh timestamp and signature.`)
  why('A receiver that drops the IDs it has seen needs to know nothing of retries and replays.')
}
