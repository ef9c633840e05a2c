import { describe, expect, inject, it } from 'vitest'
import { embedCases } from '../scripts/support/evaluation-cases.ts'
import { contentUnder, inDirectory, logs, send } from './support/control.ts'
import {
  checkOf,
  classifyEvaluation,
  EVALUATIONS,
  evaluate,
  evaluated,
  evaluationEnded,
  evaluationOf,
  failedChecks,
  summarizeEvaluation,
} from './support/evaluations.ts'
import { expectStatus, TEXT } from './support/tenant.ts'
import { until } from './support/wait.ts'

const { clientId } = inject('stack').operator

const contentGone = (id: string) =>
  until(`nothing is kept of ${id}`, async () => (await contentUnder(`evaluations/${id}/`)).length === 0)

describe('an evaluation of a model', () => {
  it('runs after its 202, and passes a candidate that does better, which no customer is offered', async () => {
    const cases = embedCases(['eng', 'jpn', 'fra', 'nld'])
    const asked = { kind: 'embed', candidate_model: 'embedded/hash-2', cases, reason: 'more languages' }

    const begun = await expectStatus(202, evaluate(asked))

    const id = begun.body.id
    expect(id).toMatch(/^eval_[0-9a-z]{28}$/)
    expect(begun.headers.get('Location')).toBe(`https://api.gateway.test${EVALUATIONS}/${id}`)
    expect(begun.body).toMatchObject({
      object: 'model_evaluation',
      status: 'running',
      present_model: 'embedded/hash-1',
      candidate_version: '1',
      cases: 4,
      labelled_cases: 4,
      created_by: clientId,
      reason: 'more languages',
      finished_at: null,
      report: null,
    })
    const ended = await evaluationEnded(id)
    expect([ended.status, failedChecks(ended)]).toEqual(['passed', []])
    expect(checkOf(ended, 'dimensions')).toMatchObject({ passed: true, present: 256, candidate: 1024 })
    const quality = checkOf(ended, 'quality')
    expect(quality?.candidate).toBeGreaterThan(quality?.present ?? 1)
    expect(ended.report?.cases).toHaveLength(4)
    await contentGone(id)
  })

  it('tells figures, classes and places, and nothing of what was asked or answered', async () => {
    const ended = await evaluated(summarizeEvaluation('test/priced', { thresholds: { max_cost_ratio: 2 } }))

    expect([ended.status, failedChecks(ended)]).toEqual(['failed', ['cost']])
    expect(checkOf(ended, 'cost')).toMatchObject({ present: 0, candidate: 0.01, threshold: 0 })
    expect(ended.report).toMatchObject({ cost_usd: 0.01, error_classes: { present: {}, candidate: {} } })
    const kept = JSON.stringify([await inDirectory('select * from model_evaluations'), await logs()])
    for (const said of [TEXT.slice(0, 30), 'free and equal'])
      expect(JSON.stringify(ended) + kept).not.toContain(said)
  })

  it('passes a candidate whose cost was allowed', async () => {
    const thresholds = { allowed_cost_usd_per_case: 0.01 }

    const ended = await evaluated(classifyEvaluation('test/priced', { thresholds }))

    expect([ended.status, failedChecks(ended)]).toEqual(['passed', []])
    expect(checkOf(ended, 'agreement')).toMatchObject({ candidate: 1 })
  })

  it.each<[string, string[], Record<string, number>]>([
    ['test/invalid-output', ['answers', 'format', 'empty_answers', 'quality'], { invalid_output: 2 }],
    ['test/unavailable', ['answers', 'errors', 'quality'], { provider_unavailable: 2 }],
    ['test/permission-denied', ['answers', 'errors', 'quality'], { permission_denied: 2 }],
  ])('fails %s, and says why', async (model, checks, classes) => {
    const ended = await evaluated(classifyEvaluation(model))

    expect([ended.status, failedChecks(ended)]).toEqual(['failed', checks])
    expect(ended.report?.error_classes).toEqual({ present: {}, candidate: classes })
    expect(ended.error).toBeNull()
  })

  it('asks a candidate again that fails now and then, as a job would be', async () => {
    const ended = await evaluated(classifyEvaluation('test/flaky'))

    expect(ended.status).toBe('passed')
    expect(ended.report?.cases.map(({ candidate }) => candidate.attempts)).toEqual([3, 3])
  })

  it('asks a candidate no more that only hangs', async () => {
    const [one] = classifyEvaluation('').cases
    const ended = await evaluated(classifyEvaluation('test/hangs', { cases: Array(12).fill(one) }))

    expect([ended.status, failedChecks(ended)]).toEqual(['failed', ['answers', 'errors', 'quality']])
    expect(ended.report?.error_classes.candidate).toEqual({ timeout: 4, not_attempted: 8 })
  })

  it('fails a candidate that does worse on what is labelled', async () => {
    const ended = await evaluated({
      kind: 'embed',
      present_model: 'embedded/hash-2',
      candidate_model: 'embedded/hash-1',
      cases: embedCases(['nld', 'rus']),
      reason: 'a spec',
    })

    expect([ended.status, failedChecks(ended)]).toEqual(['failed', ['quality']])
  })

  it('does not pass anybody without a labelled case', async () => {
    const ended = await evaluated(summarizeEvaluation('test/limited', { cases: [{ input: { text: TEXT } }] }))

    expect([ended.status, failedChecks(ended)]).toEqual(['failed', []])
    expect(checkOf(ended, 'quality')).toMatchObject({ passed: null, candidate: null })
  })

  it('fails a candidate that is slow, and asks it once for each case though messages come twice', async () => {
    const { body } = await expectStatus(202, evaluate(classifyEvaluation('test/slow')))
    const message = { v: 1, evaluation_id: body.id }
    await Promise.all([send('evaluations', message), send('evaluations', message)])

    const ended = await evaluationEnded(body.id)
    await send('evaluations', message)
    await contentGone(body.id)

    const answered = (await logs()).filter(
      (line) => line.includes('"evaluation.answered"') && line.includes(body.id),
    )
    expect(answered).toHaveLength(4)
    expect([ended.status, failedChecks(ended)]).toEqual(['failed', ['latency_median', 'latency_p95']])
    expect(await evaluationOf(body.id)).toEqual(ended)
  })
})
