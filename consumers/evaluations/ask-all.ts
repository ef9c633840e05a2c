/** Asks both models about every case that has no answer yet, a few at once. */
import type { Model } from '../../catalog/models.ts'
import type { EvaluationRow } from '../../ledger/directory/evaluations.ts'
import { log } from '../../ledger/log.ts'
import { usd } from '../../ledger/wire.ts'
import { failed, type Provider } from '../provider.ts'
import { Semaphore } from '../semaphore.ts'
import { type Answer, type Case, keepAnswer, nameOfRun, type Run, type Side, sides } from './answer.ts'
import { ask } from './ask.ts'
import type { TurnParts } from './turn-parts.ts'

export interface Work {
  readonly row: EvaluationRow
  readonly models: Readonly<Record<Side, Model>>
  readonly cases: readonly Case[]
  /** Nothing is begun after this time. */
  readonly until: number
}

/** An invocation may have six connections waiting for headers. */
const AT_ONCE = 4
/** A model that has hung so often, and never answered, is not asked again: it would take as long for each case. */
const MOST_HANGS = 3
/** What was asked together hangs together, and is heard of before more is asked. */
const HEARD_MS = 1000

/** Whether nothing is left to ask; what was answered is added to the answers. */
export async function askAll(
  work: Work,
  answers: Map<string, Answer>,
  stop: AbortSignal,
  parts: TurnParts,
): Promise<boolean> {
  const slots = new Semaphore(AT_ONCE)
  const runs = work.cases.flatMap((_, index) => sides.map((side): Run => ({ side, index })))
  const isLeft = (run: Run) => !answers.has(nameOfRun(run)) && !isHopeless(answers, run.side)
  const asked = runs.map((run) =>
    slots.run(async () => {
      if (!isLeft(run) || stop.aborted || parts.now() >= work.until) return
      const answer = await askOne(run, work, stop, parts)
      if (!answer) return
      answers.set(nameOfRun(run), await keepAnswer(parts.env.CONTENT, work.row.id, run, answer))
      if (answer.class === 'timeout') await parts.sleep(HEARD_MS)
    }),
  )
  const faults = (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'rejected' ? [one] : []))
  if (faults[0]) throw faults[0].reason
  return !runs.some(isLeft)
}

function isHopeless(answers: ReadonlyMap<string, Answer>, side: Side): boolean {
  const own = Array.from(answers).flatMap(([name, answer]) => (name.startsWith(`${side}-`) ? [answer] : []))
  const hangs = own.filter(({ class: failed }) => failed === 'timeout').length
  return hangs >= MOST_HANGS && own.every(({ class: failed }) => failed !== null)
}

const absent: Provider = { run: async () => failed('model_not_found') }

async function askOne(
  run: Run,
  { row, models, cases, until }: Work,
  stop: AbortSignal,
  parts: TurnParts,
): Promise<Answer | null> {
  const model = models[run.side]
  const one = cases[run.index]
  if (!one) throw new Error('There is no such case.')
  const name = `${row.id}-${nameOfRun(run)}`
  const provider = parts.providers[model.provider] ?? absent
  const question = { name, kind: row.kind, model, params: row.params ?? {}, case: one }
  const answer = await ask(question, { ...parts, provider, until, stop })
  if (answer) tellAnswer(row, run, answer)
  return answer
}

const tellAnswer = ({ id }: EvaluationRow, { side, index }: Run, answer: Answer): void =>
  log('evaluation.answered', {
    evaluation_id: id,
    side,
    case: index,
    class: answer.class,
    attempts: answer.attempts,
    latency_ms: answer.latencyMs,
    cost_usd: usd(answer.costMicroUsd),
  })
