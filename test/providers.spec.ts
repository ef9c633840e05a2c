import { describe, expect, inject, it } from 'vitest'
import { inLedger, logs } from './support/control.ts'
import { CHAT_VERSION } from './support/openai-answers.ts'
import type { Asked } from './support/openai-server.ts'
import { newTenant, summarizeJob } from './support/tenant.ts'

const OPENAI = 'openai/gpt-4o-mini'
const WORKERS_AI = 'workers-ai/llama-3.3-70b-instruct-fp8-fast'

const sources = [
  { title: 'One', text: 'All human beings are born free.' },
  { title: 'Two', text: 'Everyone has the right to life.' },
]
const classifyJob = { kind: 'classify', input: { text: 'A bill.', labels: ['invoice', 'letter', 'other'] } }
const reportJob = { kind: 'report', input: { sources } }
const embedJob = { kind: 'embed', input: { texts: ['one', 'two two', 'three'] } }

const fetchJson = async (path: string) =>
  (await (await fetch(new URL(path, inject('stack').openaiUrl))).json()) as unknown
const askedFor = async (jobId: string) =>
  ((await fetchJson('/asked')) as Asked[]).filter(({ key }) => key.startsWith(jobId))

describe('a job on a real provider', () => {
  it.each([
    ['summarize', OPENAI, summarizeJob(), { summary: 'Everybody has rights.' }],
    ['summarize', WORKERS_AI, summarizeJob(), { summary: 'Everybody has rights.' }],
    ['classify', OPENAI, classifyJob, undefined],
    ['classify', WORKERS_AI, classifyJob, undefined],
    ['report', OPENAI, reportJob, undefined],
    ['report', WORKERS_AI, reportJob, undefined],
    ['embed', 'openai/text-embedding-3-small', embedJob, undefined],
    ['embed', 'workers-ai/bge-m3', embedJob, undefined],
  ])('of kind %s succeeds on %s', async (_, model, job, expected) => {
    const acme = await newTenant()
    const { id } = await acme.submitted({ ...job, model })

    expect(await acme.ended(id)).toMatchObject({ status: 'succeeded', attempts: 1, model })
    const { output } = await acme.result(id)
    if (expected) expect(output).toEqual(expected)
  })

  it('keeps the order of its texts and labels, whatever the order of the answer', async () => {
    const acme = await newTenant()
    const embedding = await acme.submitted({ ...embedJob, model: 'openai/text-embedding-3-small' })
    const classification = await acme.submitted({ ...classifyJob, model: OPENAI })
    await Promise.all([acme.ended(embedding.id), acme.ended(classification.id)])

    const { output } = await acme.result(embedding.id)
    const { labels } = (await acme.result(classification.id)).output

    expect(output.dimensions).toBe(1536)
    expect(output.embeddings.map(([first]) => first)).toEqual([3, 7, 5])
    expect(labels.map(({ label }) => label)).toEqual(['other', 'letter', 'invoice'])
    expect(labels.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1)
  })

  it('shows what answered, under which ID, and what it counted and cost', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: OPENAI }))

    const job = await acme.ended(id)

    expect(job).toMatchObject({
      provider: 'openai',
      model_version: CHAT_VERSION,
      provider_request_id: expect.stringMatching(/^req_[0-9]+$/),
      usage: { input_tokens: 1000, output_tokens: 200, cost_usd: 0.00027 },
    })
  })

  it('is asked for by our own words, within its limits, under a key of the job', async () => {
    const acme = await newTenant()
    const params = { max_words: 50 }
    const { id } = await acme.submitted(summarizeJob({ model: OPENAI, params }))
    await acme.ended(id)

    const [asked] = await askedFor(id)

    expect(asked?.key).toBe(`${id}-0`)
    expect(asked?.body).toMatchObject({
      model: 'gpt-4o-mini',
      max_completion_tokens: 4096,
      response_format: { type: 'json_schema', json_schema: { strict: true } },
    })
    expect(JSON.stringify(asked?.body)).toContain('at most 40 words')
  })

  it('of many texts is asked for in parts that the platform takes', async () => {
    const acme = await newTenant()
    const texts = Array.from({ length: 203 }, (_, at) => 'x'.repeat(at + 1))
    const { id } = await acme.submitted({ kind: 'embed', input: { texts }, model: 'workers-ai/bge-m3' })

    expect(await acme.ended(id)).toMatchObject({ status: 'succeeded' })
    const { embeddings } = (await acme.result(id)).output
    expect(embeddings.map(([, second]) => second)).toEqual(texts.map(({ length }) => length))
  })

  it('that may not see content leaves it alone', async () => {
    const acme = await newTenant()

    const refused = await acme.submit(summarizeJob({ model: OPENAI, confidentiality: 'confidential' }))

    expect([refused.status, refused.body.errors[0]?.pointer]).toEqual([400, '/confidentiality'])
  })
})

describe('a repeated attempt', () => {
  it.each([
    ['that was cut off in its answer', 'cut-in-body', 2],
    ['whose provider said nothing of the outcome', '500', 2],
  ])('%s goes under the same key, and is done once', async (_, fault, attempts) => {
    const acme = await newTenant()
    const { id } = await acme.submitted(
      summarizeJob({ input: { text: `fault:${fault}:once` }, model: OPENAI }),
    )

    expect(await acme.ended(id)).toMatchObject({ status: 'succeeded', attempts })

    const effects = (await fetchJson('/effects')) as Record<string, number>
    expect((await askedFor(id)).map(({ key }) => key)).toEqual(Array(attempts).fill(`${id}-0`))
    expect(effects[`${id}-0`]).toBe(1)
  })

  it('after an answer that was known and bad goes under another', async () => {
    const acme = await newTenant()
    const text = 'fault:blank-summary:once'
    const { id } = await acme.submitted(summarizeJob({ input: { text }, model: OPENAI }))

    const job = await acme.ended(id)

    expect(job).toMatchObject({ status: 'succeeded', attempts: 2 })
    expect((await askedFor(id)).map(({ key }) => key)).toEqual([`${id}-0`, `${id}-1`])
    expect(job.usage).toMatchObject({ input_tokens: 2000, output_tokens: 400, cost_usd: 0.00054 })
  })

  it('after a time without an answer goes under the same', async () => {
    const acme = await newTenant()
    const text = 'fault:hangs-after-work:once'
    const { id } = await acme.submitted(summarizeJob({ input: { text }, model: OPENAI }))

    expect(await acme.ended(id, 60_000)).toMatchObject({ status: 'succeeded', attempts: 2 })
    expect((await askedFor(id)).map(({ key }) => key)).toEqual([`${id}-0`, `${id}-0`])
  })
})

describe('what a provider says of an error', () => {
  it('reaches neither the customer nor a log, though its ID is kept', async () => {
    const acme = await newTenant()
    const jobs = ['400', 'refusal'].map((fault) =>
      acme.submitted(summarizeJob({ input: { text: `fault:${fault}` }, model: OPENAI })),
    )
    const other = acme.submitted(summarizeJob({ input: { text: 'fault:3006' }, model: WORKERS_AI }))
    const ended = await Promise.all([...jobs, other].map(async (job) => acme.ended((await job).id)))

    expect(JSON.stringify(ended)).not.toContain('PROMPT-ECHO')
    expect((await logs()).join('\n')).not.toContain('PROMPT-ECHO')
    expect(ended[0]).toMatchObject({ provider_request_id: expect.stringMatching(/^req_/) })
    const rows = await inLedger<{ n: number }>(
      acme.id,
      "select count(*) as n from events where body like '%PROMPT-ECHO%'",
    )
    expect(rows[0]?.n).toBe(0)
  })

  it('in the place of a name is no name', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ input: { text: 'fault:odd-names' }, model: OPENAI }))

    const job = await acme.ended(id)

    expect(job).toMatchObject({ status: 'succeeded', provider_request_id: null })
    expect(JSON.stringify(job)).not.toContain('PROMPT-ECHO')
    expect((await logs()).join('\n')).not.toContain('PROMPT-ECHO')
  })
})
