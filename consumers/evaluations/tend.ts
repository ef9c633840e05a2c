/** The minute's cron: no evaluation stands still because a message was lost, and nothing that was asked or answered is kept. */
import { evaluationFolder } from '../../ledger/content.ts'
import {
  endEvaluation,
  evaluationContentGone,
  evaluationSentAgain,
  evaluationsWithOldContent,
  silentEvaluations,
} from '../../ledger/directory/evaluations.ts'
import { type Directory, openDirectory } from '../../ledger/directory/open.ts'
import { errorName, log } from '../../ledger/log.ts'
import { type EvaluationMessage, MESSAGE_VERSION } from '../../ledger/messages.ts'
import { removeObjects } from '../../ledger/removal.ts'
import { EVALUATION_MINUTES } from '../../openapi/model-evaluations.ts'

/** Of each sort, in one minute. */
const STEP = 20
const LONGEST_MS = EVALUATION_MINUTES * 60_000

export async function tendEvaluations(env: ConsumersEnv, now: number): Promise<void> {
  const directory = openDirectory(env.DIRECTORY)
  for (const { id, createdAt } of await silentEvaluations(directory, now, STEP))
    await orTold(id, () =>
      now - createdAt > LONGEST_MS
        ? endEvaluation(directory, id, { errorClass: 'deadline_exceeded' }, now)
        : sendAgain(directory, id, env, now),
    )
  for (const { id } of await evaluationsWithOldContent(directory, now, STEP))
    await orTold(id, async () => {
      await removeObjects(env.CONTENT, [evaluationFolder(id)])
      await evaluationContentGone(directory, id)
    })
}

async function sendAgain(directory: Directory, id: string, env: ConsumersEnv, now: number): Promise<void> {
  await env.EVALUATIONS.send({ v: MESSAGE_VERSION, evaluation_id: id } satisfies EvaluationMessage)
  await evaluationSentAgain(directory, id, now)
  log('evaluation.sent_again', { evaluation_id: id })
}

/** A fault waits for the next minute, and holds up no other. */
async function orTold(evaluation_id: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log('evaluation.tending_failed', { evaluation_id, error: errorName(error) })
  }
}
