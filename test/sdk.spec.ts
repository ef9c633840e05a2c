import { describe, expect, it } from 'vitest'
import { type FeedEvent, Gateway, ProblemError, StreamError, verifyWebhook } from '../sdk/src/index.ts'
import { embedBatch, embedItems, ndjson } from './support/batches.ts'
import { type Middleman, newMiddleman } from './support/middleman.ts'
import { newReceiver } from './support/receiver.ts'
import { newSdk } from './support/sdk.ts'
import { expectStatus, newTenant, operator, TEXT } from './support/tenant.ts'
import { pause } from './support/wait.ts'

const summarize = { kind: 'summarize', input: { text: TEXT }, params: { max_words: 15 } } as const

/** A customer with credentials of its own and the SDK as it comes, whose requests go by the middleman. */
async function newCustomer(middleman: Pick<Middleman, 'url'>) {
  const acme = await newTenant()
  const ops = await operator()
  const request = { name: 'sdk', reason: 'a spec' }
  const { body } = await expectStatus(201, ops.post(`/ops/v1/tenants/${acme.id}/clients`, request))
  const pauses: number[] = []
  const gateway = new Gateway({
    baseUrl: middleman.url,
    clientId: body.client_id,
    clientSecret: body.client_secret,
    sleep: async (ms) => {
      pauses.push(ms)
      await pause(Math.min(ms, 100))
    },
  })
  return { acme, gateway, pauses }
}

const all = async <T>(values: AsyncIterable<T>): Promise<T[]> => {
  const read: T[] = []
  for await (const value of values) read.push(value)
  return read
}

describe('a customer with the SDK', () => {
  it('has a job once, though the token and the 202 were lost on their way', async () => {
    const middleman = await newMiddleman((_, nth) => (nth === 0 ? 'lose' : 'pass'))
    const { gateway } = await newCustomer(middleman)

    const job = await gateway.jobs.create(summarize)

    const posts = middleman.exchanges.filter(({ what }) => what === 'POST /v1/jobs')
    expect(posts.map(({ replayed }) => replayed)).toEqual([false, true])
    expect(posts[0]?.key).toBe(posts[1]?.key)
    expect((await all(gateway.jobs.list())).map(({ id }) => id)).toEqual([job.id])
    expect(middleman.exchanges.filter(({ what }) => what === 'POST /oauth/token')).toHaveLength(2)
  })

  it('is patient with a gateway that has no time', async () => {
    const busy = () => new Response(null, { status: 429, headers: { 'Retry-After': '3' } })
    const middleman = await newMiddleman((what, nth) =>
      what === 'POST /v1/jobs' && nth === 0 ? { answer: busy() } : 'pass',
    )
    const { gateway, pauses } = await newCustomer(middleman)

    expect(await gateway.jobs.create(summarize)).toMatchObject({ object: 'job', kind: 'summarize' })
    expect(pauses).toHaveLength(1)
    expect(pauses[0]).toBeGreaterThanOrEqual(3000)
  })

  it('waits for a job and reads its result', async () => {
    const { sdk } = await newTenant()
    const told: string[] = []

    const job = await sdk.jobs.create(summarize)
    const end = await sdk.jobs.wait(job, { timeoutMs: 60_000, onChange: ({ status }) => told.push(status) })
    const { output } = await sdk.jobs.result(end)

    expect(end).toMatchObject({ id: job.id, status: 'succeeded', terminal: true })
    expect(told.at(-1)).toBe('succeeded')
    expect(TEXT).toContain(output.summary)
  })

  it('hands a text over as a file', async () => {
    const { sdk } = await newTenant()
    const text = '人間は、理性と良心とを授けられている。互いに同胞の精神をもって行動しなければならない。'

    const file = await sdk.files.upload(text, { contentType: 'text/plain' })
    const job = await sdk.jobs.create({ kind: 'summarize', input: { file_id: file.id } })
    const { output } = await sdk.jobs.result(await sdk.jobs.wait(job, { timeoutMs: 60_000 }))

    expect(file.bytes).toBe(new TextEncoder().encode(text).length)
    expect(text).toContain(output.summary)
    await sdk.files.delete(file)
    await expect(sdk.files.get(file)).rejects.toMatchObject({ status: 404, slug: 'not-found' })
  })

  it('reads the results of a batch as they come, and learns when they are broken off', async () => {
    const cut = { cutAfter: 3000 }
    const middleman = await newMiddleman((what, nth) =>
      what.endsWith('/results') && nth === 0 ? cut : 'pass',
    )
    const { gateway } = await newCustomer(middleman)
    const content = new Blob([ndjson(embedItems(5))])
    const file = await gateway.files.upload(content, { contentType: 'application/x-ndjson' })
    const batch = await gateway.batches.create({ kind: 'embed', items_file_id: file.id })
    await gateway.batches.wait(batch, { timeoutMs: 60_000 })

    const before: string[] = []
    const broken = (async () => {
      for await (const { external_reference } of gateway.batches.results(batch))
        before.push(external_reference)
    })()
    await expect(broken).rejects.toBeInstanceOf(StreamError)
    const lines = await all(gateway.batches.results(batch))

    const wanted = embedItems(5).map(({ external_reference }) => external_reference)
    expect(lines.map(({ external_reference }) => external_reference)).toEqual(wanted)
    expect(lines.every(({ output }) => output?.embeddings.length === 1)).toBe(true)
    expect(before.length).toBeLessThan(5)
    expect(before).toEqual(wanted.slice(0, before.length))
  })

  it('knows the webhooks that are sent to it from those that are not', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    const { secret, public_keys: publicKeys } = await acme.sdk.webhookEndpoints.create({
      url: receiver.url,
      signing: 'both',
    })
    const job = await acme.sdk.jobs.create(summarize)
    const { headers, text } = await receiver.event('job.result_available')

    for (const keys of [secret ?? '', publicKeys]) {
      const event = await verifyWebhook(text, headers, keys)
      expect(event.type === 'job.result_available' && event.data.result_url).toBe(job.result_url)
    }
    const forged = text.replace('succeeded', 'succeedeD')
    await expect(verifyWebhook(forged, headers, secret ?? '')).rejects.toMatchObject({
      reason: 'no-signature-holds',
    })
  })

  it('follows what happens without a receiver', async () => {
    const { sdk } = await newTenant()
    const seen: FeedEvent[] = []
    const job = await sdk.jobs.create(summarize)

    for await (const event of sdk.events.follow({ types: ['job.accepted', 'job.result_available'] })) {
      seen.push(event)
      if (event.type === 'job.result_available') break
    }

    expect(seen.map(({ type, data }) => [type, data.id])).toEqual([
      ['job.accepted', job.id],
      ['job.result_available', job.id],
    ])
  })

  it('is told what is wrong, and where', async () => {
    const { sdk } = await newTenant()

    const error = await sdk.batches
      .create({ ...embedBatch(1), kind: 'embed', params: { dimensions: 1 } })
      .catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(ProblemError)
    const { slug, status, problem, requestId } = error as ProblemError
    expect([slug, status]).toEqual(['invalid-request', 400])
    expect(problem.errors?.[0]?.pointer).toBe('/params/dimensions')
    expect(requestId).toBe(problem.request_id)
  })

  it('gets a fresh token when one is refused', async () => {
    const { client } = await newTenant()
    const sdk = newSdk('', { token: (refused?: string) => (refused ? client.token : 'no.token.atall') })

    expect(await sdk.jobs.create(summarize)).toMatchObject({ object: 'job' })
  })
})
