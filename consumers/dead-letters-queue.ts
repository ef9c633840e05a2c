/**
 * One batch of a dead-letter queue. The message is only a reference, so the ledger is asked before anything fails: mostly the
 * job has long gone on. What was found out is recorded. Nothing here gives up: a directory that is down delays it.
 */
import { withFreshStub } from '../ledger/call.ts'
import { type MessageDeadLetter, recordMessageDeadLetter } from '../ledger/directory/dead-letters.ts'
import { openDirectory } from '../ledger/directory/open.ts'
import { findLedgerName } from '../ledger/directory/tenants.ts'
import type { IntakeVerdict } from '../ledger/intake.ts'
import { errorName, log } from '../ledger/log.ts'
import { CallbackMessage, JobMessage } from '../ledger/messages.ts'
import { bodySha256, retryLater, sortMessages } from '../ledger/queue.ts'

const Lost = JobMessage.or(CallbackMessage)

export async function consumeDeadLetters(batch: MessageBatch, env: ConsumersEnv): Promise<void> {
  const queue = batch.queue.replace(/-dlq$/, '')
  for (const { raw, message } of await sortMessages(batch, Lost, env)) {
    try {
      const verdict = 'job_id' in message ? await askLedger(message, env) : 'recovered'
      if (verdict !== 'failed') await record(queue, raw, message, verdict, env)
      raw.ack()
    } catch (error) {
      log('dead_letters.intake_failed', { queue, message_id: raw.id, error: errorName(error) })
      retryLater(raw)
    }
  }
}

/** A tenant that is gone has nothing left to fail. */
async function askLedger(
  { tenant_id, job_id, attempt }: JobMessage,
  env: ConsumersEnv,
): Promise<IntakeVerdict> {
  const name = await findLedgerName(env.DIRECTORY, tenant_id, Date.now())
  if (name === null) return 'superseded'
  const lost = { jobId: job_id, attempt }
  return withFreshStub(
    () => env.LEDGERS.getByName(name),
    (ledger) => ledger.takeLostMessage(lost),
  )
}

const reasons: Record<Exclude<IntakeVerdict, 'failed'>, string> = {
  superseded: 'The work has ended already.',
  recovered: 'The ledger still owes this work and goes on with it by itself.',
}

/** A job that failed is recorded by its own ledger, together with the failure. */
async function record(
  queue: string,
  raw: Message,
  message: JobMessage | CallbackMessage,
  verdict: Exclude<IntakeVerdict, 'failed'>,
  { DIRECTORY }: ConsumersEnv,
): Promise<void> {
  const letter: MessageDeadLetter = {
    queue,
    messageSha256: await bodySha256(raw.body),
    attempts: raw.attempts,
    class: 'internal',
    status: verdict,
    tenantId: message.tenant_id,
    jobId: 'job_id' in message ? message.job_id : null,
    createdAt: raw.timestamp.getTime(),
    why: reasons[verdict],
  }
  await recordMessageDeadLetter(openDirectory(DIRECTORY), letter)
}
