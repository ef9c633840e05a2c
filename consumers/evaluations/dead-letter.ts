/** A message about an evaluation that could not be taken so often that the queue gave it up: then the evaluation has failed. */
import {
  type MessageDeadLetter,
  recordMessageDeadLetter,
} from '../../ledger/directory/dead-letter-records.ts'
import { endEvaluation, findEvaluation } from '../../ledger/directory/evaluations.ts'
import { type Directory, openDirectory } from '../../ledger/directory/open.ts'
import type { EvaluationMessage } from '../../ledger/messages.ts'
import { bodySha256 } from '../../ledger/queue.ts'

type Verdict = Pick<MessageDeadLetter, 'status' | 'why'>

export async function buryEvaluation(
  queue: string,
  raw: Message,
  { evaluation_id }: EvaluationMessage,
  { DIRECTORY }: ConsumersEnv,
): Promise<void> {
  const directory = openDirectory(DIRECTORY)
  const verdict = await verdictOn(directory, evaluation_id, Date.now())
  if (!verdict) return
  await recordMessageDeadLetter(directory, {
    ...verdict,
    queue,
    messageSha256: await bodySha256(raw.body),
    attempts: raw.attempts,
    class: 'internal',
    tenantId: null,
    jobId: null,
    batchId: null,
    createdAt: raw.timestamp.getTime(),
  })
}

/** Null where a consumer is at work on it: its own message, or the cron, goes on with it. */
async function verdictOn(directory: Directory, id: string, now: number): Promise<Verdict | null> {
  const row = await findEvaluation(directory, id)
  if (row?.status === 'running' && row.leaseUntil > now) return null
  if (!(await endEvaluation(directory, id, { errorClass: 'internal' }, now)))
    return { status: 'superseded', why: 'The evaluation has ended already.' }
  const why = `The evaluation ${id} has failed. It is not redriven: start another once the cause is mended.`
  return { status: 'open', why }
}
