import { describe, expect, it } from 'vitest'
import { embedBatch, submitBatch } from './support/batches.ts'
import { contentOf } from './support/control.ts'
import { newTenant, TEXT, type Tenant } from './support/tenant.ts'

const summarize = (text: string, external_reference: string) => ({ external_reference, input: { text } })

/** The refused places, as `[pointer, detail]`. */
async function refusalsOf(acme: Tenant, body: object) {
  const answer = await submitBatch(acme, body)
  expect([answer.status, answer.body.type]).toEqual([400, expect.stringMatching(/invalid-request$/)])
  return answer.body.errors.map(({ pointer, detail }) => [pointer, detail])
}

describe.concurrent('a batch request', () => {
  it('has exactly one of items and a file', async () => {
    const acme = await newTenant()

    expect(await refusalsOf(acme, { kind: 'embed' })).toEqual([
      ['/items', 'Either items or items_file_id is required.'],
    ])
    expect(await refusalsOf(acme, { ...embedBatch(1), items_file_id: 'file_1' })).toEqual([
      ['/items_file_id', 'Not together with items.'],
    ])
  })

  it('has 1 to 1,000 items', async () => {
    const acme = await newTenant()

    expect(await refusalsOf(acme, embedBatch(0))).toEqual([['/items', 'Must be at least 1 item long.']])
    expect(await refusalsOf(acme, embedBatch(1001))).toEqual([['/items', 'Must be at most 1000 items long.']])
  })

  it('has every bad item named in one answer, with the place in it', async () => {
    const acme = await newTenant()
    const items = [
      summarize(TEXT, 'good'),
      summarize('', 'empty'),
      summarize(TEXT, 'not a reference'),
      { external_reference: 'none' },
      { ...summarize(TEXT, 'more'), colour: 'red' },
      { ...summarize(TEXT, 'secret'), confidentiality: 'cosmic' },
      { external_reference: 'embed', input: { texts: [TEXT] } },
      'no item',
      summarize(TEXT, 'good'),
    ]

    const refusals = await refusalsOf(acme, { kind: 'summarize', items })

    expect(refusals.map(([pointer]) => pointer)).toEqual([
      '/items/1/input/text',
      '/items/2/external_reference',
      '/items/3/input',
      '/items/4/colour',
      '/items/5/confidentiality',
      '/items/6/input/text',
      '/items/6/input/texts',
      '/items/7',
      '/items/8/external_reference',
    ])
    expect(refusals.at(-1)?.[1]).toBe('The same in /items/0 and /items/8.')
    expect(await contentOf(acme.id)).toEqual([])
  })

  it('shows the first hundred of many, and counts all', async () => {
    const acme = await newTenant()
    const items = Array.from({ length: 250 }, (_, at) => summarize(' ', `item-${at}`))

    const { body } = await submitBatch(acme, { kind: 'summarize', items })

    expect([body.errors.length, body.error_count]).toEqual([100, 250])
    expect(body.errors[99]?.pointer).toBe('/items/99/input/text')
  })

  it('never has its content repeated in the answer', async () => {
    const acme = await newTenant()
    const items = [{ external_reference: 'one', input: { text: 'Tell nobody', 'Tell nobody': 1 } }]

    const { body } = await submitBatch(acme, { kind: 'summarize', items: [{ ...items[0], input: 7 }] })

    expect(JSON.stringify(body)).not.toContain('Tell nobody')
  })

  it.each([
    ['a model that is unknown', { model: 'embedded/none' }, '/model', 'Unknown model.'],
    [
      'a model of another kind',
      { model: 'embedded/extract-1' },
      '/model',
      'unsupported_kind: embedded/extract-1 cannot embed.',
    ],
    [
      'a model that may not see it',
      { model: 'openai/text-embedding-3-small', confidentiality: 'restricted' },
      '/confidentiality',
      'openai/text-embedding-3-small may see content up to internal.',
    ],
    [
      'a model that takes no batches',
      {
        kind: 'transcribe',
        model: 'openai/whisper-1',
        items: [{ external_reference: 'a', input: { file_id: 'f' } }],
      },
      '/model',
      'openai/whisper-1 takes no batches.',
    ],
    ['an unknown field', { colour: 'red' }, '/colour', 'Unknown field.'],
    ['another parameter', { params: { max_words: 20 } }, '/params/max_words', 'Unknown field.'],
  ])('is refused for %s', async (_, more, pointer, detail) => {
    expect(await refusalsOf(await newTenant(), embedBatch(1, more))).toEqual([[pointer, detail]])
  })

  it('needs a key', async () => {
    const { client } = await newTenant()

    const { status, body } = await client.post('/v1/batches', embedBatch())

    expect([status, body.type]).toEqual([400, expect.stringMatching(/idempotency-key-required$/)])
  })

  it('has room for 4 MiB, and no more', async () => {
    const acme = await newTenant()
    const sized = (bytes: number) => ({
      kind: 'summarize',
      items: Array.from({ length: 10 }, (_, at) => summarize('word '.repeat(bytes / 50), `item-${at}`)),
    })

    expect((await submitBatch(acme, sized(3.5 * 1024 * 1024))).status).toBe(202)
    expect((await submitBatch(acme, sized(4.5 * 1024 * 1024))).status).toBe(413)
  })

  it('is refused where its estimate is above its own limit, or the budget', async () => {
    const acme = await newTenant({ monthly_budget_usd: 0.05 })
    const priced = embedBatch(4, { model: 'test/priced' })

    const tooDear = await submitBatch(acme, { ...priced, max_cost_usd: 0.01 })
    const tooMuch = await submitBatch(acme, embedBatch(6, { model: 'test/priced' }))

    expect([tooDear.status, tooDear.body.type]).toEqual([402, expect.stringMatching(/cost-over-limit$/)])
    expect([tooMuch.status, tooMuch.body.type]).toEqual([402, expect.stringMatching(/budget-exhausted$/)])
    expect(await contentOf(acme.id)).toEqual([])
    expect((await submitBatch(acme, priced)).status).toBe(202)
  })

  it('is refused where the tenant has as many open as its plan allows', async () => {
    const acme = await newTenant({ max_open_batches: 1 })
    await submitBatch(acme, embedBatch(1, { model: 'test/batch-stuck' }))

    const { status, headers, body } = await submitBatch(acme, embedBatch(1))

    expect([status, body.type]).toEqual([429, expect.stringMatching(/backlog-full$/)])
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
  })
})
