/** What a candidate is checked for, by what both models made of the same cases: one row for each check. Pure. */
import type { KindName } from '../../catalog/kind.ts'
import { usd } from '../../ledger/wire.ts'
import type { EvaluationThresholds } from '../../openapi/evaluation-thresholds.ts'
import type { CheckName, EvaluationCheck } from '../../openapi/model-evaluations.ts'
import type { Answer } from './answer.ts'
import { mean, percentile, rounded } from './figures.ts'
import { agreement } from './measure.ts'

/** Null where a model was not asked. */
export interface Pair {
  readonly labelled: boolean
  readonly present: Answer | null
  readonly candidate: Answer | null
}

export interface Facts {
  readonly kind: KindName
  readonly thresholds: EvaluationThresholds
  /** What vectors of the candidate must have; null where the kind has none. */
  readonly dimensions: number | null
  readonly pairs: readonly Pair[]
}

type Found = Omit<EvaluationCheck, 'name'>
type Row = (facts: Facts) => Found | null
type OfAnswer = (answer: Answer | null) => boolean

/** Binary fractions may fall just short. */
const TOLERANCE = 1e-9

const NOTHING: Pick<Found, 'passed' | 'present' | 'candidate' | 'threshold'> = {
  passed: null,
  present: null,
  candidate: null,
  threshold: null,
}

/** Cases that a model may leave without a usable answer. */
const allowance = ({ pairs, thresholds }: Facts) =>
  Math.floor(pairs.length * thresholds.max_failed_share + TOLERANCE)

const isUsable: OfAnswer = (answer) => answer?.class === null
const isUnfit: OfAnswer = (answer) => answer?.class === 'invalid_output'
const isEmpty: OfAnswer = (answer) => answer?.empty === true
const hasFailed: OfAnswer = (answer) => !isUsable(answer) && !isUnfit(answer)

const SHOWN = 10

function places(pairs: readonly Pair[], of: OfAnswer): string {
  const found = pairs.flatMap(({ candidate }, index) => (of(candidate) ? [index] : []))
  if (found.length === 0) return ''
  const more = found.length > SHOWN ? ' and more' : ''
  return ` Of the candidate: cases ${found.slice(0, SHOWN).join(', ')}${more}.`
}

const count = (facts: Facts, of: OfAnswer) => ({
  present: facts.pairs.filter(({ present }) => of(present)).length,
  candidate: facts.pairs.filter(({ candidate }) => of(candidate)).length,
})

const answers: Row = (facts) => {
  const { present, candidate } = count(facts, isUsable)
  const threshold = facts.pairs.length - allowance(facts)
  const lacking = present < threshold ? ' The present model has too few to be compared with.' : ''
  return {
    passed: present >= threshold && candidate >= threshold,
    present,
    candidate,
    threshold,
    detail: `Usable answers to ${facts.pairs.length} cases.${lacking}`,
  }
}

const atMost =
  (of: OfAnswer, text: string): Row =>
  (facts) => {
    const { present, candidate } = count(facts, of)
    const threshold = allowance(facts)
    const detail = `${text}${places(facts.pairs, of)}`
    return { passed: candidate <= threshold, present, candidate, threshold, detail }
  }

const dimensions: Row = ({ kind, dimensions: wanted, pairs }) => {
  if (kind !== 'embed') return null
  const [ofPresent, ofCandidate] = [found(pairs, 'present'), found(pairs, 'candidate')]
  const [present = null, candidate = null] = [ofPresent[0], ofCandidate[0]]
  const differ = present !== null && candidate !== null && present !== candidate
  const anew = differ ? ' They differ from the present ones: what is indexed must be embedded anew.' : ''
  return {
    passed: candidate === null ? null : ofCandidate.length === 1 && (wanted === null || candidate === wanted),
    present,
    candidate,
    threshold: wanted,
    detail: `Length of the vectors, as asked for or as the catalog says.${anew}`,
  }
}

const found = (pairs: readonly Pair[], side: 'present' | 'candidate') => [
  ...new Set(pairs.flatMap((pair) => pair[side]?.measure?.dimensions ?? [])),
]

/** Of cases that both answered. */
const both = (pairs: readonly Pair[]) =>
  pairs.flatMap(({ present, candidate }) =>
    present?.measure && candidate?.measure ? [[present.measure, candidate.measure] as const] : [],
  )

const length: Row = ({ kind, thresholds, pairs }) => {
  if (kind === 'embed' || kind === 'classify') return null
  const [present, candidate] = [0, 1].map((side) => mean(both(pairs).map((pair) => pair[side]?.length ?? 0)))
  const { min_length_ratio: min, max_length_ratio: max } = thresholds
  const detail = `Mean length in characters; from ${min} to ${max} times the present one.`
  if (present == null || candidate == null) return { ...NOTHING, detail }
  const passed = candidate >= present * min - TOLERANCE && candidate <= present * max + TOLERANCE
  const threshold = rounded(candidate < present ? present * min : present * max)
  return { passed, present: rounded(present), candidate: rounded(candidate), threshold, detail }
}

/** Telling what is founded is a hint, not a proof. */
const UNFOUNDED_SHARE = 0.1

const unfounded: Row = (facts) => {
  if (facts.kind !== 'summarize') return null
  const of: OfAnswer = (answer) => answer?.measure?.founded === false
  const { present, candidate } = count(facts, of)
  const threshold = Math.max(present, Math.floor(facts.pairs.length * UNFOUNDED_SHARE))
  const detail = `Answers with numbers or names that their inputs do not hold.${places(facts.pairs, of)}`
  return { passed: candidate <= threshold, present, candidate, threshold, detail }
}

const latency =
  (share: number, text: string): Row =>
  ({ thresholds, pairs }) => {
    const of = (side: 'present' | 'candidate') =>
      percentile(
        pairs.flatMap((pair) => pair[side]?.latencyMs ?? []),
        share,
      )
    return within(of('present'), of('candidate'), {
      ratio: thresholds.max_latency_ratio,
      allowed: thresholds.allowed_latency_ms,
      text: `${text} of the answers, in milliseconds;`,
    })
  }

interface Limit {
  readonly ratio: number
  /** Passes, whatever the present one. */
  readonly allowed: number
  readonly text: string
}

function within(present: number | null, candidate: number | null, { ratio, allowed, text }: Limit): Found {
  const detail = `${text} at most ${ratio} times the present one, or ${allowed}.`
  if (present === null || candidate === null) return { ...NOTHING, present, candidate, detail }
  const threshold = rounded(Math.max(present * ratio, allowed))
  return { passed: candidate <= threshold + TOLERANCE, present, candidate, threshold, detail }
}

const cost: Row = ({ thresholds, pairs }) => {
  const of = (side: 'present' | 'candidate') =>
    rounded(usd(mean(pairs.map((pair) => pair[side]?.costMicroUsd ?? 0)) ?? 0))
  return within(of('present'), of('candidate'), {
    ratio: thresholds.max_cost_ratio,
    allowed: thresholds.allowed_cost_usd_per_case,
    text: 'Mean cost of a case in USD;',
  })
}

const quality: Row = ({ thresholds, pairs }) => {
  const labelled = pairs.filter((pair) => pair.labelled)
  // No usable answer is the worst.
  const of = (side: 'present' | 'candidate') => mean(labelled.map((pair) => pair[side]?.measure?.score ?? 0))
  const [present, candidate] = [of('present'), of('candidate')]
  if (present === null || candidate === null)
    return { ...NOTHING, detail: 'No case says what is expected, so nothing is known of the quality.' }
  const { max_quality_loss: loss, min_quality: min } = thresholds
  const threshold = rounded(Math.max(present - loss, min))
  return {
    passed: candidate >= threshold - TOLERANCE,
    present: rounded(present),
    candidate: rounded(candidate),
    threshold,
    detail: `Mean score of ${labelled.length} labelled cases; at most ${loss} below the present one, and at least ${min}.`,
  }
}

const agree: Row = ({ thresholds: { min_agreement }, pairs }) => {
  const candidate = mean(both(pairs).map(([a, b]) => agreement(a.essence, b.essence)))
  const detail = `How far the answers of both say the same; at least ${min_agreement}.`
  if (candidate === null) return { ...NOTHING, detail }
  const passed = candidate >= min_agreement - TOLERANCE
  return { passed, present: 1, candidate: rounded(candidate), threshold: min_agreement, detail }
}

const rows: Record<CheckName, Row> = {
  answers,
  errors: atMost(hasFailed, 'Cases that ended in a failure.'),
  format: atMost(isUnfit, 'Answers that break the contract of the kind.'),
  empty_answers: atMost(isEmpty, 'Answers that say nothing.'),
  dimensions,
  length,
  unfounded,
  latency_median: latency(0.5, 'Median'),
  latency_p95: latency(0.95, '95th percentile'),
  cost,
  quality,
  agreement: agree,
}

/** Those that have a meaning for the kind. */
export const checksOf = (facts: Facts): EvaluationCheck[] =>
  (Object.keys(rows) as CheckName[]).flatMap((name) => {
    const check = rows[name](facts)
    return check ? [{ name, ...check }] : []
  })
