import { describe, expect, it } from 'vitest'
import { findModel, type Model } from '../../catalog/models.ts'
import type { FailureClass } from '../../openapi/job-words.ts'
import type { CallOutcome, GatedCall } from '../gate/gates.ts'
import { type Attempt, failed, type Provider, type ProviderRequest } from '../provider.ts'
import { ask } from './ask.ts'

const NOW = 1_000_000
const UNTIL = NOW + 60_000

function model(id: string): Model {
  const found = findModel(id)
  if (!found) throw new Error('There is no such model.')
  return found
}

const question = {
  name: 'eval_1-candidate-0',
  kind: 'summarize' as const,
  model: model('openai/gpt-4o-mini'),
  params: {},
  case: { input: { text: 'The ship left the harbour.' }, expected: { phrases: ['ship'] } },
}

const completed: Attempt = {
  kind: 'completed',
  output: { summary: 'The ship left.' },
  usage: { inputTokens: 1_000_000, outputTokens: 0 },
  providerRequestId: null,
}

/** What the provider answers in turn, the last for ever; `closed`: how often the gate is; and what was done. */
function rig(attempts: Attempt[], closed = 0) {
  let now = NOW
  const requests: ProviderRequest[] = []
  const calls: GatedCall[] = []
  const outcomes: CallOutcome[] = []
  const stop = new AbortController()
  const provider: Provider = {
    async run(request) {
      requests.push(request)
      now += 40
      return attempts[Math.min(requests.length, attempts.length) - 1] ?? failed('internal')
    },
  }
  const parts = {
    provider,
    gates: {
      closedUntil: async (call: GatedCall) => {
        calls.push(call)
        return calls.length <= closed ? now + 5000 : null
      },
      report: async (_: GatedCall, outcome: CallOutcome) => void outcomes.push(outcome),
    },
    timeoutMs: 1000,
    until: UNTIL,
    stop: stop.signal,
    now: () => now,
    random: () => 1,
    sleep: async (ms: number) => {
      now += ms
    },
  }
  return { parts, requests, calls, outcomes, stop, slept: () => now - NOW - 40 * requests.length }
}

const unknown: Attempt = { kind: 'failed', class: 'timeout', retryAfterMs: null, usage: 'unknown' }

describe('a question', () => {
  it('is answered, with what it took and cost', async () => {
    const { parts, requests, outcomes } = rig([completed])

    const answer = await ask(question, parts)

    expect(answer).toMatchObject({
      class: null,
      empty: false,
      attempts: 1,
      latencyMs: 40,
      costMicroUsd: 150_000,
      measure: { score: 1, length: 14, essence: { text: 'The ship left.' } },
    })
    expect(requests[0]).toMatchObject({ attempt: 1, idempotencyKey: 'eval_1-candidate-0-0', audio: null })
    expect(outcomes).toEqual([{ kind: 'completed' }])
  })

  it.each<[FailureClass, number]>([
    ['provider_unavailable', 3],
    ['rate_limited', 3],
    ['invalid_output', 2],
    ['timeout', 1],
    ['permission_denied', 1],
    ['content_filtered', 1],
  ])('that fails of %s is asked %d times', async (failure, times) => {
    const { parts, requests } = rig([failed(failure)])

    expect(await ask(question, parts)).toMatchObject({ class: failure, attempts: times, measure: null })
    expect(requests.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      Array.from({ length: times }, (_, at) => `eval_1-candidate-0-${at}`),
    )
  })

  it('is asked again, no sooner than its provider wants, and pays for every attempt', async () => {
    const bad: Attempt = { ...completed, output: {} }
    const { parts, slept } = rig([failed('rate_limited', 3000), bad, completed])

    const answer = await ask(question, parts)

    expect(answer).toMatchObject({ class: null, attempts: 3, costMicroUsd: 300_000, latencyMs: 40 })
    expect(slept()).toBeGreaterThanOrEqual(3000)
  })

  it('whose answer says nothing has failed, and is known as empty', async () => {
    const { parts } = rig([{ ...completed, output: { summary: ' ' } }])

    expect(await ask(question, parts)).toMatchObject({ class: 'invalid_output', empty: true, attempts: 2 })
  })

  it('costs its estimate where nobody knows', async () => {
    const { parts } = rig([unknown])

    expect((await ask(question, parts))?.costMicroUsd).toBeGreaterThan(0)
  })

  it('waits for the gate, each time under another name', async () => {
    const { parts, calls, requests } = rig([completed], 3)

    expect(await ask(question, parts)).toMatchObject({ class: null, attempts: 1 })
    expect(new Set(calls.map(({ jobId, attempt }) => `${jobId}-${attempt}`)).size).toBe(4)
    expect(requests).toHaveLength(1)
  })

  it('that the gate lets not through in time is left for another turn', async () => {
    const { parts, requests } = rig([completed], Number.POSITIVE_INFINITY)

    expect(await ask(question, parts)).toBeNull()
    expect(requests).toEqual([])
    expect(parts.now()).toBe(UNTIL)
  })

  it('is not tried again when there is no time for it', async () => {
    const { parts } = rig([failed('rate_limited', 120_000)])

    expect(await ask(question, parts)).toMatchObject({ class: 'rate_limited', attempts: 1 })
  })

  it('of a consumer that has lost its lease has no answer', async () => {
    const { parts, stop } = rig([completed])
    stop.abort()

    expect(await ask(question, parts)).toBeNull()
  })

  it('that our own code fails at has failed of that', async () => {
    const { parts } = rig([])
    const broken: Provider = { run: () => Promise.reject(new Error('A fault of ours.')) }

    expect(await ask(question, { ...parts, provider: broken })).toMatchObject({
      class: 'internal',
      attempts: 3,
    })
  })
})
