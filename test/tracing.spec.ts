import { describe, expect, inject, it } from 'vitest'
import { logs } from './support/control.ts'
import type { Asked } from './support/openai-server.ts'
import { newReceiver } from './support/receiver.ts'
import { expectStatus, newTenant, summarizeJob, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

const attemptsOf = (id: string, count: number) =>
  until(`${count} attempts are told of`, async () => {
    const lines = (await logs()).filter((line) => line.includes('"job.attempted"') && line.includes(id))
    return lines.length >= count && lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  })

const submitTraced = async (tenant: Tenant, job: object) =>
  (
    await expectStatus(
      202,
      tenant.client.post('/v1/jobs', job, {
        'Idempotency-Key': crypto.randomUUID(),
        traceparent: `00-${TRACE}-${SPAN}-01`,
      }),
    )
  ).body

describe('a trace', () => {
  it('goes from the request to the provider, the log and the webhook, each under a span of its own', async () => {
    const acme = await newTenant()
    const receiver = await newReceiver()
    await acme.listens(receiver)
    const { id } = await submitTraced(acme, summarizeJob({ model: 'openai/gpt-4o-mini' }))
    const { headers } = await receiver.event('job.result_available')

    const asked = (await (await fetch(new URL('/asked', inject('stack').openaiUrl))).json()) as Asked[]
    const provider = asked.find(({ key }) => key.startsWith(id))?.headers.traceparent

    const shape = new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`)
    expect(provider).toMatch(shape)
    expect(headers.traceparent).toMatch(shape)
    expect(new Set([provider, headers.traceparent, `00-${TRACE}-${SPAN}-01`]).size).toBe(3)
    expect((await attemptsOf(id, 1))[0]).toMatchObject({ trace_id: TRACE })
  })

  it('begins with us where the caller sends none', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted()

    expect((await attemptsOf(id, 1))[0]?.trace_id).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('the line of an attempt', () => {
  it('tells what happened and what follows', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/flaky' }))
    await acme.ended(id)

    const [first, second, third] = await attemptsOf(id, 3)

    for (const line of [first, second])
      expect(line).toMatchObject({
        tenant_id: acme.id,
        job_id: id,
        kind: 'summarize',
        model: 'test/flaky',
        outcome: 'failed',
        class: 'provider_unavailable',
        verdict: 'retrying',
        next_delay_ms: expect.any(Number),
        cost_usd: 0,
      })
    expect([first, second, third].map((line) => line?.attempt)).toEqual([1, 2, 3])
    expect(third).toMatchObject({
      outcome: 'completed',
      class: null,
      verdict: 'succeeded',
      next_delay_ms: null,
      latency_ms: expect.any(Number),
      input_tokens: expect.any(Number),
      output_tokens: expect.any(Number),
      provider_request_id: `embedded-${id}-0`,
    })
  })

  it('tells what an attempt cost', async () => {
    const acme = await newTenant()
    const { id } = await acme.submitted(summarizeJob({ model: 'test/priced' }))

    expect((await attemptsOf(id, 1))[0]).toMatchObject({ cost_usd: 0.01, verdict: 'succeeded' })
  })
})
