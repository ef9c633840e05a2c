/** Checks of figures of the candidate against those of the present model. Pure. */
import { usd } from '../../ledger/wire.ts'
import { type Found, type Pair, type Row, TOLERANCE } from './facts.ts'
import { mean, percentile, rounded } from './figures.ts'
import { agreement } from './measure.ts'

const NOTHING: Pick<Found, 'passed' | 'present' | 'candidate' | 'threshold'> = {
  passed: null,
  present: null,
  candidate: null,
  threshold: null,
}

export const dimensions: Row = ({ kind, dimensions: wanted, pairs }) => {
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

export const length: Row = ({ kind, thresholds, pairs }) => {
  if (kind === 'embed' || kind === 'classify') return null
  const [present, candidate] = [0, 1].map((side) => mean(both(pairs).map((pair) => pair[side]?.length ?? 0)))
  const { min_length_ratio: min, max_length_ratio: max } = thresholds
  const detail = `Mean length in characters; from ${min} to ${max} times the present one.`
  if (present == null || candidate == null) return { ...NOTHING, detail }
  const passed = candidate >= present * min - TOLERANCE && candidate <= present * max + TOLERANCE
  const threshold = rounded(candidate < present ? present * min : present * max)
  return { passed, present: rounded(present), candidate: rounded(candidate), threshold, detail }
}

export const latency =
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
  const threshold = Math.max(present * ratio, allowed)
  const passed = candidate <= threshold + TOLERANCE
  const figures = { present: rounded(present), candidate: rounded(candidate), threshold: rounded(threshold) }
  return { passed, ...figures, detail }
}

export const cost: Row = ({ thresholds, pairs }) => {
  const of = (side: 'present' | 'candidate') =>
    usd(mean(pairs.map((pair) => pair[side]?.costMicroUsd ?? 0)) ?? 0)
  return within(of('present'), of('candidate'), {
    ratio: thresholds.max_cost_ratio,
    allowed: thresholds.allowed_cost_usd_per_case,
    text: 'Mean cost of a case in USD;',
  })
}

export const quality: Row = ({ thresholds, pairs }) => {
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

export const agreed: Row = ({ thresholds: { min_agreement }, pairs }) => {
  const candidate = mean(both(pairs).map(([a, b]) => agreement(a.essence, b.essence)))
  const detail = `How far the answers of both say the same; at least ${min_agreement}.`
  if (candidate === null) return { ...NOTHING, detail }
  const passed = candidate >= min_agreement - TOLERANCE
  return { passed, present: 1, candidate: rounded(candidate), threshold: min_agreement, detail }
}
