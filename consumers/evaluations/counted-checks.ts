/** Checks of how many answers are there and fit. Pure. */
import type { Answer } from './answer.ts'
import { type Facts, type Pair, type Row, TOLERANCE } from './facts.ts'

type OfAnswer = (answer: Answer | null) => boolean

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

export const answers: Row = (facts) => {
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

/** Telling what is founded is a hint, not a proof. */
const UNFOUNDED_SHARE = 0.1

export const unfounded: Row = (facts) => {
  if (facts.kind !== 'summarize') return null
  const of: OfAnswer = (answer) => answer?.measure?.founded === false
  const { present, candidate } = count(facts, of)
  const threshold = Math.max(present, Math.floor(facts.pairs.length * UNFOUNDED_SHARE))
  const detail = `Answers with numbers or names that their inputs do not hold.${places(facts.pairs, of)}`
  return { passed: candidate <= threshold, present, candidate, threshold, detail }
}

export const errors = atMost(hasFailed, 'Cases that ended in a failure.')
export const format = atMost(isUnfit, 'Answers that break the contract of the kind.')
export const emptyAnswers = atMost(isEmpty, 'Answers that say nothing.')
