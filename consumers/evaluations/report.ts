/** The report of an evaluation: checks, figures and classes; never what was asked or answered. Pure. */
import { usd } from '../../ledger/wire.ts'
import type { EvaluationCheck, EvaluationReport } from '../../openapi/model-evaluations.ts'
import type { Answer } from './answer.ts'
import { checksOf } from './checks.ts'
import type { Facts, Pair } from './facts.ts'
import { rounded } from './figures.ts'
import { agreement } from './measure.ts'

const NOT_ATTEMPTED = 'not_attempted'

export function reportOf(facts: Facts, durationMs: number): { passed: boolean; report: EvaluationReport } {
  const checks = checksOf(facts)
  const all = facts.pairs.flatMap(({ present, candidate }) => [present, candidate])
  const report = {
    checks,
    error_classes: {
      present: classesOf(facts.pairs.map(({ present }) => present)),
      candidate: classesOf(facts.pairs.map(({ candidate }) => candidate)),
    },
    cases: facts.pairs.map(caseOf),
    cost_usd: usd(all.reduce((sum, answer) => sum + (answer?.costMicroUsd ?? 0), 0)),
    duration_ms: durationMs,
  }
  return { passed: hasPassed(checks), report }
}

/** Whether everything that could be checked holds, and the quality is known. */
const hasPassed = (checks: readonly EvaluationCheck[]) =>
  checks.every(({ name, passed }) => (name === 'quality' ? passed === true : passed !== false))

const classOf = (answer: Answer | null) => (answer ? answer.class : NOT_ATTEMPTED)

function classesOf(answers: readonly (Answer | null)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const failed = classOf(answer)
    if (failed !== null) counts[failed] = (counts[failed] ?? 0) + 1
  }
  return counts
}

const caseOf = ({ labelled, present, candidate }: Pair, index: number) => ({
  index,
  present: answerOf(present, labelled),
  candidate: answerOf(candidate, labelled),
  agreement:
    present?.measure && candidate?.measure
      ? rounded(agreement(present.measure.essence, candidate.measure.essence))
      : null,
})

const answerOf = (answer: Answer | null, labelled: boolean) => ({
  class: classOf(answer),
  attempts: answer?.attempts ?? 0,
  latency_ms: answer?.latencyMs ?? null,
  cost_usd: usd(answer?.costMicroUsd ?? 0),
  length: answer?.measure?.length ?? null,
  score: labelled ? rounded(answer?.measure?.score ?? 0) : null,
})
