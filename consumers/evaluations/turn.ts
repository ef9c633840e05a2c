/**
 * One consumer's turn at an evaluation: it goes on where the last one was, for a few minutes, and ends it when there is nothing left
 * to ask. The lease keeps two from asking, and paying for, the same; what is written is written once, whoever comes late.
 */
import { findModel } from '../../catalog/models.ts'
import { evaluationFolder } from '../../ledger/content.ts'
import {
  type EvaluationRow,
  endEvaluation,
  leaseEvaluation,
  releaseEvaluation,
  renewEvaluation,
} from '../../ledger/directory/evaluations.ts'
import { openDirectory } from '../../ledger/directory/open.ts'
import { errorName, log } from '../../ledger/log.ts'
import { removeObjects } from '../../ledger/removal.ts'
import type { EvaluationErrorClass } from '../../openapi/model-evaluations.ts'
import { type Answer, readAnswers, readCases } from './answer.ts'
import { askAll, type Work } from './ask-all.ts'
import type { Facts } from './facts.ts'
import { reportOf } from './report.ts'
import type { TurnParts } from './turn-parts.ts'

const LEASE_MS = 60_000
const BEAT_MS = 15_000
/** Of a turn: an invocation has 15 minutes, and what was begun last takes its time. */
const TURN_MS = 4 * 60_000
/** Of an evaluation: nothing is begun later, so that it has ended well before the cron gives it up. */
const ASKING_MS = 25 * 60_000

/** Whether something is left for another turn. False where somebody else is at work, too. */
export async function takeTurn(id: string, parts: TurnParts): Promise<boolean> {
  const directory = openDirectory(parts.env.DIRECTORY)
  const lease = crypto.randomUUID()
  const now = parts.now()
  const row = await leaseEvaluation(directory, id, lease, now, now + LEASE_MS)
  if (!row) return false
  const lost = new AbortController()
  const renew = async () => {
    const held = await renewEvaluation(directory, id, lease, parts.now() + LEASE_MS)
    if (!held) lost.abort(new Error('The lease was lost.'))
  }
  const beat = setInterval(() => void renew().catch(tell('evaluation.renewal_failed', id)), BEAT_MS)
  try {
    return await goOn(row, lost.signal, parts)
  } finally {
    clearInterval(beat)
    await releaseEvaluation(directory, id, lease).catch(tell('evaluation.release_failed', id))
  }
}

const tell = (event: string, evaluation_id: string) => (error: unknown) =>
  log(event, { evaluation_id, error: errorName(error) })

async function goOn(row: EvaluationRow, stop: AbortSignal, parts: TurnParts): Promise<boolean> {
  const models = modelsOf(row)
  if (!models) return giveUp(row, 'model_changed', parts)
  const cases = await readCases(parts.env.CONTENT, row.id)
  if (!cases) return giveUp(row, 'internal', parts)
  const answers = await readAnswers(parts.env.CONTENT, row.id)
  const now = parts.now()
  const end = row.createdAt + ASKING_MS
  const work: Work = { row, models, cases, until: Math.min(now + TURN_MS, end) }
  const isDone = await askAll(work, answers, stop, parts)
  if (stop.aborted) return false
  if (!isDone && parts.now() < end) return true
  await close(row, reportOf(factsOf(work, answers), parts.now() - row.createdAt), parts)
  return false
}

const factsOf = ({ row, cases, models }: Work, answers: ReadonlyMap<string, Answer>): Facts => ({
  kind: row.kind,
  thresholds: row.thresholds,
  dimensions: dimensionsOf(row, models.candidate.dimensions),
  pairs: cases.map(({ expected }, index) => ({
    labelled: expected !== undefined,
    present: answers.get(`present-${index}`) ?? null,
    candidate: answers.get(`candidate-${index}`) ?? null,
  })),
})

const dimensionsOf = ({ params }: EvaluationRow, own: number | null) =>
  typeof params?.dimensions === 'number' ? params.dimensions : own

/** Null when the catalog has others by now than those that were to be compared. */
function modelsOf(row: EvaluationRow) {
  const [present, candidate] = [findModel(row.presentModel), findModel(row.candidateModel)]
  const hold = present?.version === row.presentVersion && candidate?.version === row.candidateVersion
  return present && candidate && hold ? { present, candidate } : null
}

async function giveUp(row: EvaluationRow, errorClass: EvaluationErrorClass, parts: TurnParts) {
  await close(row, { errorClass }, parts)
  return false
}

/** Ends it, once; inputs and answers are of no use any more. What is not deleted now the cron deletes. */
async function close(
  row: EvaluationRow,
  end: Parameters<typeof endEvaluation>[2],
  { env, now }: TurnParts,
): Promise<void> {
  const ended = await endEvaluation(openDirectory(env.DIRECTORY), row.id, end, now())
  if (!ended) return
  log('evaluation.ended', {
    evaluation_id: row.id,
    candidate_model: row.candidateModel,
    passed: 'report' in end && end.passed,
    error_class: 'report' in end ? null : end.errorClass,
    duration_ms: now() - row.createdAt,
  })
  await removeObjects(env.CONTENT, [evaluationFolder(row.id)]).catch(
    tell('evaluation.removal_failed', row.id),
  )
}
