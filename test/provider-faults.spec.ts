import { describe, expect, it, vi } from 'vitest'
import { inLedger } from './support/control.ts'
import { newTenant, type Tenant } from './support/tenant.ts'
import { until } from './support/wait.ts'

/** Most of their time they wait for a retry. */
vi.setConfig({ maxConcurrency: 12 })

const OPENAI = 'openai/gpt-4o-mini'
const EMBEDDING = 'openai/text-embedding-3-small'
const OTHER_OPENAI = 'openai/gpt-4.1-mini'
const OTHER_WORKERS_AI = 'workers-ai/llama-4-scout-17b-16e-instruct'
const WORKERS_AI = 'workers-ai/llama-3.3-70b-instruct-fp8-fast'

const jobOf: Record<string, (text: string) => object> = {
  summarize: (text) => ({ kind: 'summarize', input: { text } }),
  classify: (text) => ({ kind: 'classify', input: { text, labels: ['a', 'b'] } }),
  report: (text) => ({ kind: 'report', input: { sources: [{ title: 'One', text }] } }),
  embed: (text) => ({ kind: 'embed', input: { texts: [text, 'two'] } }),
}

/** The job with this fault at its provider, once it has ended. */
async function endedWith(acme: Tenant, kind: string, fault: string, model: string, more: object = {}) {
  const { id } = await acme.submitted({ ...jobOf[kind]?.(`Some text. fault:${fault}`), model, ...more })
  return acme.ended(id, 75_000)
}

/** The class of the first failures of a job with this fault; what comes after is its class's, and elsewhere. */
async function firstFailure(fault: string, model: string): Promise<string | null> {
  const acme = await newTenant()
  const { id } = await acme.submitted({ ...jobOf.summarize?.(`fault:${fault}`), model })
  const failed = await until(
    `${fault} fails`,
    async () => {
      const query = 'select last_error_class from jobs where id = ?'
      const [job] = await inLedger<{ last_error_class: string | null }>(acme.id, query, id)
      return job?.last_error_class ? job : null
    },
    75_000,
  )
  await acme.cancel(id)
  return failed.last_error_class
}

describe.concurrent('a job whose provider refuses', () => {
  it.each([
    ['400', 'invalid_input', 1],
    ['400-context-length', 'input_too_large', 1],
    ['400-content-policy', 'content_filtered', 1],
    ['401', 'permission_denied', 1],
    ['403', 'permission_denied', 1],
    ['404', 'model_not_found', 1],
    ['408', 'timeout', 6],
    ['413', 'input_too_large', 1],
    ['422', 'invalid_input', 1],
    ['429-quota', 'permission_denied', 1],
    ['500', 'provider_unavailable', 6],
    ['502-html', 'provider_unavailable', 6],
    ['503', 'provider_unavailable', 6],
    ['504', 'provider_unavailable', 6],
    ['redirect', 'provider_unavailable', 6],
    ['cut', 'provider_unavailable', 6],
  ])('by %s fails as %s after %i attempts', async (fault, failure, attempts) => {
    const job = await endedWith(await newTenant(), 'summarize', fault, OPENAI)

    expect(job).toMatchObject({ status: 'failed', attempts, error: { class: failure } })
  })
})

describe.concurrent('a job whose provider answers', () => {
  it.each([
    ['summarize', 'empty-200', OPENAI, 'invalid_output', 2],
    ['summarize', 'empty-json-200', OPENAI, 'invalid_output', 2],
    ['summarize', 'html-200', OPENAI, 'invalid_output', 2],
    ['summarize', 'other-shape', OPENAI, 'invalid_output', 2],
    ['summarize', 'broken-json', OPENAI, 'invalid_output', 2],
    ['summarize', 'no-json', OPENAI, 'invalid_output', 2],
    ['summarize', 'other-json', OPENAI, 'invalid_output', 2],
    ['summarize', 'cut-off', OPENAI, 'invalid_output', 2],
    ['summarize', 'blank-summary', OPENAI, 'invalid_output', 2],
    ['summarize', 'long-summary', OPENAI, 'invalid_output', 2],
    ['summarize', 'content-filter', OPENAI, 'content_filtered', 1],
    ['summarize', 'refusal', OPENAI, 'content_filtered', 1],
    ['classify', 'wrong-label', OPENAI, 'invalid_output', 2],
    ['classify', 'zero-scores', OPENAI, 'invalid_output', 2],
    ['report', 'no-citation', OPENAI, 'invalid_output', 2],
    ['embed', 'null-in-vector', EMBEDDING, 'invalid_output', 2],
    ['embed', 'text-in-vector', EMBEDDING, 'invalid_output', 2],
    ['embed', 'wrong-dimension', EMBEDDING, 'invalid_output', 2],
    ['embed', 'zero-vector', EMBEDDING, 'invalid_output', 2],
    ['embed', 'too-few-vectors', EMBEDDING, 'invalid_output', 2],
    ['embed', 'vector-twice', EMBEDDING, 'invalid_output', 2],
    ['embed', 'other-shape', EMBEDDING, 'invalid_output', 2],
  ])('%s with %s on %s fails as %s after %i attempts', async (kind, fault, model, failure, attempts) => {
    const job = await endedWith(await newTenant(), kind, fault, model)

    expect(job).toMatchObject({ status: 'failed', attempts, error: { class: failure } })
  })

  it('slowly succeeds all the same', async () => {
    const job = await endedWith(await newTenant(), 'summarize', 'slow', OPENAI)

    expect(job).toMatchObject({ status: 'succeeded', attempts: 1 })
  })

  it.each(['hangs', 'hangs-in-body', 'drips'])('not at all, or for ever (%s), times out', async (fault) => {
    expect(await firstFailure(fault, OPENAI)).toBe('timeout')
  })
})

describe.concurrent('a job on Workers AI', () => {
  it.each([
    ['summarize', '3003', WORKERS_AI, 'invalid_input', 1],
    ['summarize', '3006', WORKERS_AI, 'input_too_large', 1],
    ['summarize', '3007', WORKERS_AI, 'timeout', 6],
    ['summarize', '5007', WORKERS_AI, 'model_not_found', 1],
    ['summarize', '5016', WORKERS_AI, 'permission_denied', 1],
    ['summarize', '9999', WORKERS_AI, 'provider_unavailable', 6],
    ['summarize', 'empty', WORKERS_AI, 'invalid_output', 2],
    ['summarize', 'text', WORKERS_AI, 'invalid_output', 2],
    ['summarize', 'other-shape', WORKERS_AI, 'invalid_output', 2],
    ['summarize', 'no-json', WORKERS_AI, 'invalid_output', 2],
    ['summarize', 'blank', WORKERS_AI, 'invalid_output', 2],
    ['embed', 'nan', 'workers-ai/bge-m3', 'invalid_output', 2],
    ['embed', 'null', 'workers-ai/bge-m3', 'invalid_output', 2],
    ['embed', 'dimension', 'workers-ai/bge-m3', 'invalid_output', 2],
    ['embed', 'few', 'workers-ai/bge-m3', 'invalid_output', 2],
  ])(
    'of kind %s that meets %s on %s fails as %s after %i attempts',
    async (kind, fault, model, failure, attempts) => {
      const job = await endedWith(await newTenant(), kind, fault, model)

      expect(job).toMatchObject({ status: 'failed', attempts, error: { class: failure } })
    },
  )

  it('that comes as text in the place of an object succeeds', async () => {
    const job = await endedWith(await newTenant(), 'summarize', 'as-text', WORKERS_AI)

    expect(job).toMatchObject({ status: 'succeeded', attempts: 1 })
  })

  it('that hangs times out', async () => {
    expect(await firstFailure('hangs', WORKERS_AI)).toBe('timeout')
  })
})

/** One after the other, on models of their own: each of these pauses its model for everybody. */
describe('a job whose provider asks for time', () => {
  it.each([
    ['seconds', '429-retry-after', 1000],
    ['a date', '429-retry-after-date', 1000],
  ])('by %s is tried again, and not before', async (_, fault, atLeastMs) => {
    const job = await endedWith(await newTenant(), 'summarize', `${fault}:once`, OTHER_OPENAI)

    expect(job).toMatchObject({ status: 'succeeded', attempts: 2 })
    expect(Date.parse(job.finished_at) - Date.parse(job.started_at)).toBeGreaterThanOrEqual(atLeastMs)
  })

  it.each([
    ['429', OTHER_OPENAI, 'rate_limited'],
    ['429-retry-after-past', OTHER_OPENAI, 'rate_limited'],
    ['503-overloaded', OTHER_OPENAI, 'provider_overloaded'],
    ['529', OTHER_OPENAI, 'provider_overloaded'],
    ['3036', OTHER_WORKERS_AI, 'rate_limited'],
    ['3040', OTHER_WORKERS_AI, 'provider_overloaded'],
  ])('by %s on %s fails as %s', async (fault, model, expected) => {
    expect(await firstFailure(fault, model)).toBe(expected)
  })

  it('that makes no sense is believed for ten minutes only', async () => {
    const acme = await newTenant()
    const job = { ...jobOf.summarize?.('fault:429-retry-after-absurd'), model: OTHER_OPENAI }
    const { id } = await acme.submitted(job)

    const { next_attempt_at } = await acme.reached(id, 'retrying', 75_000)
    await acme.cancel(id)

    expect(Date.parse(next_attempt_at) - Date.now()).toBeGreaterThan(500_000)
    expect(Date.parse(next_attempt_at) - Date.now()).toBeLessThanOrEqual(600_000)
  })
})
