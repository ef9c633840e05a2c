import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { randomBytes } from '../ids.ts'
import { deliver, type SendingParts, type Telling } from './deliver.ts'
import type { Verdict } from './guard.ts'
import type { Recipient } from './recipient.ts'
import { mintSecret } from './signature.ts'

const at = Date.now()
const secret = mintSecret(randomBytes)
const recipient: Recipient = { url: 'https://example.com/hook', secrets: [secret], seeds: [], headers: {} }
const telling: Telling = { eventId: 'evt_1', body: '{"text":"すべての人間は 👍"}', traceparent: null }
const good = async (url: string): Promise<Verdict> => ({ ok: true, url: new URL(url) })

/** What was sent for a recipient, to a receiver that thanks after 40 ms. */
async function delivered(more: Partial<Recipient> = {}, told: Partial<Telling> = {}, guard = good) {
  const clock = { time: at }
  const sent: Request[] = []
  const fetch: SendingParts['fetch'] = async (input) => {
    sent.push(input as Request)
    clock.time += 40
    return new Response(null, { status: 204 })
  }
  const slowly: typeof guard = async (url) => {
    clock.time += 3000
    return guard(url)
  }
  const parts = { fetch, now: () => clock.time, guard: slowly, randomBytes }
  const { attempt } = await deliver({ ...recipient, ...more }, { ...telling, ...told }, parts)
  return { attempt, sent }
}

async function headersSent(more: Partial<Recipient> = {}, told: Partial<Telling> = {}) {
  const { sent } = await delivered(more, told)
  return Object.fromEntries(sent[0]?.headers ?? [])
}

describe('a delivery', () => {
  it('is one POST of the bytes that are signed', async () => {
    const { sent } = await delivered()
    const [request] = sent
    const text = await request?.clone().text()

    expect([sent.length, request?.method, request?.url]).toEqual([1, 'POST', recipient.url])
    expect(text).toBe(telling.body)
    expect(new Webhook(secret).verify(text ?? '', Object.fromEntries(request?.headers ?? []))).toEqual(
      JSON.parse(telling.body),
    )
  })

  it('goes to the URL as the guard let it through', async () => {
    const { sent } = await delivered({ url: 'https://example.com./hook#x' }, {}, () => good(recipient.url))

    expect(sent.map(({ url }) => url)).toEqual([recipient.url])
  })

  it('has these headers', async () => {
    expect(await headersSent()).toEqual({
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'user-agent': 'async-ai-gateway-webhooks/1',
      'webhook-id': 'evt_1',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      'webhook-timestamp': String(Math.floor((at + 3000) / 1000)),
    })
  })

  it('goes on with the trace of what it tells', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const { traceparent } = await headersSent({}, { traceparent: `00-${trace}-00f067aa0ba902b7-01` })

    expect(traceparent).toMatch(new RegExp(`^00-${trace}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`))
  })

  it('takes as long as the receiver, whatever the guard took', async () => {
    expect((await delivered()).attempt).toMatchObject({ at: at + 3000, latency_ms: 40, error: null })
  })
})

describe("an endpoint's own headers", () => {
  it('are sent', async () => {
    const headers = { Authorization: 'Bearer abc', 'x-api-key': 'ü', 'X-Empty': '' }

    expect(await headersSent({ headers })).toMatchObject({
      authorization: 'Bearer abc',
      'x-api-key': 'ü',
      'x-empty': '',
    })
  })

  it.each([
    'Content-Type',
    'content-type',
    'CONTENT-TYPE',
    'accept-encoding',
    'user-agent',
    'Webhook-Id',
    'WEBHOOK-TIMESTAMP',
    'webhook-signature',
    'Webhook-Signature',
    'TraceParent',
  ])('never stand for ours or beside them: %s', async (name) => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const sent = await headersSent({ headers: { [name]: 'forged' } }, { traceparent })

    expect(sent[name.toLowerCase()]).toBeDefined()
    expect(JSON.stringify(sent)).not.toContain('forged')
  })
})

describe('a delivery that the guard stops', () => {
  it.each([
    [false, 'url_refused'],
    [true, 'lookup_unavailable'],
  ])('sends nothing: refused for now %s, %s', async (passing, error) => {
    const { attempt, sent } = await delivered({}, {}, async () => ({ ok: false, why: 'No.', passing }))

    expect(sent).toEqual([])
    expect(attempt).toEqual({
      at: at + 3000,
      status_code: null,
      error,
      latency_ms: 0,
      response_excerpt: null,
      response_truncated: false,
    })
  })
})

describe('a delivery without a key', () => {
  it.each<[string, Partial<Recipient>]>([
    ['without any', { secrets: [] }],
    ['with one that is malformed', { secrets: [secret, 'whsec_AAAA'] }],
  ])('is not sent at all: %s', async (_, more) => {
    const fetch = () => Promise.reject(new Error('Sent.'))
    const parts = { fetch, now: () => at, guard: good, randomBytes }

    await expect(deliver({ ...recipient, ...more }, telling, parts)).rejects.toThrow(/key|malformed/)
  })
})
