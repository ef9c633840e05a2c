import { describe, expect, it } from 'vitest'
import type { KindName } from '../../catalog/kind.ts'
import { standardThresholds, type ThresholdName } from '../../openapi/evaluation-thresholds.ts'
import type { Answer, Measure } from './answer.ts'
import type { Facts, Pair } from './facts.ts'
import { reportOf } from './report.ts'

const measured: Measure = {
  length: 100,
  dimensions: null,
  founded: true,
  score: 1,
  essence: { text: 'A ship came in.' },
}

type Rest = Partial<Omit<Answer, 'measure'>> & { measure?: Partial<Measure> }

const answer = ({ measure = {}, ...rest }: Rest = {}): Answer => ({
  class: null,
  empty: false,
  attempts: 1,
  latencyMs: 1000,
  costMicroUsd: 100,
  ...rest,
  measure: rest.class ? null : { ...measured, ...measure },
})

const failed = (failure: Answer['class'], rest: Rest = {}) =>
  answer({ class: failure, latencyMs: null, ...rest })

const pair = (rest: Partial<Pair> = {}): Pair => ({
  labelled: true,
  present: answer(),
  candidate: answer(),
  ...rest,
})

const facts = (pairs: Pair[], rest: Partial<Facts> = {}): Facts => ({
  kind: 'summarize',
  thresholds: standardThresholds,
  dimensions: null,
  pairs,
  ...rest,
})

/** Four cases, of which the candidate has these; the others are as the present model's. */
const with4 = (...candidates: (Answer | null)[]) =>
  Array.from({ length: 4 }, (_, at) => {
    const candidate = candidates[at]
    return candidate === undefined ? pair() : pair({ candidate })
  })

const thresholds = (rest: Partial<Record<ThresholdName, number>>) => ({
  thresholds: { ...standardThresholds, ...rest },
})

const verdict = (all: Facts) => {
  const { passed, report } = reportOf(all, 5000)
  return {
    passed,
    failed: report.checks.filter((check) => check.passed === false).map(({ name }) => name),
    skipped: report.checks.filter((check) => check.passed === null).map(({ name }) => name),
  }
}

const check = (all: Facts, name: string) =>
  reportOf(all, 5000).report.checks.find((check) => check.name === name)

describe('a report', () => {
  it('passes a candidate that does as well', () => {
    expect(verdict(facts(with4()))).toEqual({ passed: true, failed: [], skipped: [] })
  })

  it.each<[string, Facts, string[]]>([
    ['that fails', facts(with4(failed('provider_unavailable'))), ['answers', 'errors', 'quality']],
    ['that was not asked', facts(with4(null)), ['answers', 'errors', 'quality']],
    ['of another form', facts(with4(failed('invalid_output'))), ['answers', 'format', 'quality']],
    [
      'that says nothing',
      facts(with4(failed('invalid_output', { empty: true }))),
      ['answers', 'format', 'empty_answers', 'quality'],
    ],
    ['that is long', facts(with4(answer({ measure: { length: 400 } }))), ['length']],
    ['that is short', facts([pair({ candidate: answer({ measure: { length: 40 } }) })]), ['length']],
    ['that makes things up', facts(with4(answer({ measure: { founded: false } }))), ['unfounded']],
    ['that is slow', facts(with4(answer({ latencyMs: 3001 }))), ['latency_p95']],
    [
      'that is slow mostly',
      facts(with4(...Array(3).fill(answer({ latencyMs: 3001 })))),
      ['latency_median', 'latency_p95'],
    ],
    ['that is dear', facts(with4(answer({ costMicroUsd: 301 }))), ['cost']],
    ['that is worse', facts(with4(answer({ measure: { score: 0.9 } }))), ['quality']],
    [
      'below the least quality',
      facts(
        [
          pair({
            present: answer({ measure: { score: 0.5 } }),
            candidate: answer({ measure: { score: 0.6 } }),
          }),
        ],
        thresholds({ min_quality: 0.7 }),
      ),
      ['quality'],
    ],
    [
      'that says something else',
      facts(
        with4(answer({ measure: { essence: { text: 'Nobody knows.' } } })),
        thresholds({ min_agreement: 0.8 }),
      ),
      ['agreement'],
    ],
    ['beside a present model that fails', facts([pair({ present: failed('timeout') }), pair()]), ['answers']],
  ])('fails a candidate %s', (_, all, names) => {
    expect(verdict(all)).toMatchObject({ passed: false, failed: names })
  })

  it.each<[string, Facts]>([
    [
      'a failure',
      facts(with4(failed('timeout')), thresholds({ max_failed_share: 0.25, max_quality_loss: 0.3 })),
    ],
    ['a length', facts(with4(answer({ measure: { length: 400 } })), thresholds({ max_length_ratio: 2 }))],
    ['a time', facts(with4(answer({ latencyMs: 9000 })), thresholds({ allowed_latency_ms: 9000 }))],
    [
      'a time that is short',
      facts([pair({ present: answer({ latencyMs: 0 }), candidate: answer({ latencyMs: 500 }) })]),
    ],
    [
      'a cost',
      facts(with4(answer({ costMicroUsd: 2000 })), thresholds({ allowed_cost_usd_per_case: 0.001 })),
    ],
    [
      'a loss of quality',
      facts(with4(answer({ measure: { score: 0.5 } })), thresholds({ max_quality_loss: 0.125 })),
    ],
  ])('passes a candidate with %s that is allowed', (_, all) => {
    expect(verdict(all)).toEqual({ passed: true, failed: [], skipped: [] })
  })

  it('passes nobody of whose quality nothing is known', () => {
    const unlabelled = pair({ labelled: false })

    expect(verdict(facts([unlabelled]))).toEqual({ passed: false, failed: [], skipped: ['quality'] })
  })

  it('has nothing to compare where nothing was answered', () => {
    const dead = pair({ present: failed('timeout'), candidate: failed('timeout') })

    expect(verdict(facts([dead]))).toEqual({
      passed: false,
      failed: ['answers', 'errors'],
      skipped: ['length', 'latency_median', 'latency_p95', 'agreement'],
    })
  })

  it.each<[KindName, string[]]>([
    ['summarize', ['length', 'unfounded']],
    ['report', ['length']],
    ['classify', []],
    ['embed', ['dimensions']],
  ])('checks of %s what its answers have', (kind, names) => {
    const own = reportOf(facts(with4(), { kind }), 0).report.checks.map(({ name }) => name)

    expect(own.filter((name) => ['length', 'unfounded', 'dimensions'].includes(name)).toSorted()).toEqual(
      names.toSorted(),
    )
  })

  const vectors = (dimensions: number) =>
    answer({ measure: { length: null, dimensions, essence: { neighbours: [1, 0] } } })
  const embedding = (candidates: number[], dimensions: number | null) =>
    facts(
      candidates.map((length) => pair({ present: vectors(256), candidate: vectors(length) })),
      { kind: 'embed', dimensions },
    )

  it.each<[string, number[], number | null, boolean]>([
    ['as the catalog says', [512, 512], 512, true],
    ['other than the catalog says', [256, 256], 512, false],
    ['now this, now that', [512, 256], 512, false],
    ['of whatever length, where nothing says', [300, 300], null, true],
  ])('holds vectors against the catalog: %s', (_, candidates, dimensions, passed) => {
    expect(check(embedding(candidates, dimensions), 'dimensions')).toMatchObject({ passed, present: 256 })
  })

  it('says when vectors of the two do not go together', () => {
    expect(check(embedding([512], 512), 'dimensions')?.detail).toMatch(/embedded anew/)
    expect(check(embedding([256], 256), 'dimensions')?.detail).not.toMatch(/embedded anew/)
  })

  it('tells what cases failed of, and where, and what it cost', () => {
    const { report } = reportOf(
      facts([
        pair(),
        pair({ candidate: failed('timeout', { attempts: 1, costMicroUsd: 7 }) }),
        pair({ candidate: null }),
      ]),
      1234,
    )

    expect(report.error_classes).toEqual({ present: {}, candidate: { timeout: 1, not_attempted: 1 } })
    expect([report.cost_usd, report.duration_ms]).toEqual([0.000407, 1234])
    expect(report.checks.find(({ name }) => name === 'errors')?.detail).toContain('cases 1, 2.')
    expect(report.cases[1]).toEqual({
      index: 1,
      present: { class: null, attempts: 1, latency_ms: 1000, cost_usd: 0.0001, length: 100, score: 1 },
      candidate: {
        class: 'timeout',
        attempts: 1,
        latency_ms: null,
        cost_usd: 0.000007,
        length: null,
        score: 0,
      },
      agreement: null,
    })
  })

  it('names no more than a few places', () => {
    const { report } = reportOf(facts(Array(20).fill(pair({ candidate: failed('timeout') }))), 0)

    expect(report.checks.find(({ name }) => name === 'errors')?.detail).toMatch(/cases 0, .*, 9 and more\.$/)
  })

  it('holds nothing of what was answered', () => {
    expect(JSON.stringify(reportOf(facts(with4()), 0))).not.toContain('ship')
  })
})
