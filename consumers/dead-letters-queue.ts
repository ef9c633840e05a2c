/**
 * One batch of a dead-letter queue. The message is only a reference, so the ledger is asked before anything fails: mostly the
 * job has long gone on. What was found out is recorded. Nothing here gives up: a directory that is down delays it.
 */
import type { z } from '@hono/zod-openapi'
import { type LedgerStub, withFreshStub } from '../ledger/call.ts'
import { type MessageDeadLetter, recordMessageDeadLetter } from '../ledger/directory/dead-letter-records.ts'
import { openDirectory } from '../ledger/directory/open.ts'
import { findLedgerName } from '../ledger/directory/tenants.ts'
import type { IntakeVerdict } from '../ledger/intake.ts'
import { errorName, log } from '../ledger/log.ts'
import { BatchMessage, CallbackMessage, EvaluationMessage, JobMessage } from '../ledger/messages.ts'
import { bodySha256, retryLater, sortMessages } from '../ledger/queue.ts'
import { buryEvaluation } from './evaluations/dead-letter.ts'

const OfTenant = JobMessage.or(BatchMessage).or(CallbackMessage)
type OfTenant = z.infer<typeof OfTenant>
const Lost = OfTenant.or(EvaluationMessage)
type Lost = z.infer<typeof Lost>

export async function consumeDeadLetters(batch: MessageBatch, env: ConsumersEnv): Promise<void> {
  const queue = batch.queue.replace(/-dlq$/, '')
  for (const { raw, message } of await sortMessages(batch, Lost, env)) {
    try {
      await bury(queue, raw, message, env)
      raw.ack()
    } catch (error) {
      log('dead_letters.intake_failed', { queue, message_id: raw.id, error: errorName(error) })
      retryLater(raw)
    }
  }
}

async function bury(queue: string, raw: Message, message: Lost, env: ConsumersEnv): Promise<void> {
  if ('evaluation_id' in message) return buryEvaluation(queue, raw, message, env)
  const verdict = await verdictOn(message, env)
  if (verdict !== 'failed') await record(queue, raw, message, verdict, env)
}

/** A tenant that is gone has nothing left to fail. */
async function verdictOn(message: OfTenant, env: ConsumersEnv): Promise<IntakeVerdict> {
  if ('endpoint_id' in message) return 'recovered'
  const name = await findLedgerName(env.DIRECTORY, message.tenant_id, Date.now())
  if (name === null) return 'superseded'
  const stub = () => env.LEDGERS.getByName(name)
  return 'job_id' in message ? verdictOnJob(message, stub) : verdictOnBatch(message, stub)
}

const verdictOnJob = ({ job_id, attempt }: JobMessage, stub: () => LedgerStub) =>
  withFreshStub(stub, (ledger) => ledger.takeLostMessage({ jobId: job_id, attempt }))

/** The ledger sends about a batch again until its Workflow shows itself. */
async function verdictOnBatch({ batch_id }: BatchMessage, stub: () => LedgerStub): Promise<IntakeVerdict> {
  const standing = await withFreshStub(stub, (ledger) => ledger.instanceStanding(batch_id))
  return standing ? 'recovered' : 'superseded'
}

const reasons: Record<Exclude<IntakeVerdict, 'failed'>, string> = {
  superseded: 'The work has ended already.',
  recovered: 'The ledger still owes this work and goes on with it by itself.',
}

/** A job that failed is recorded by its own ledger, together with the failure. */
async function record(
  queue: string,
  raw: Message,
  message: OfTenant,
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
    batchId: 'batch_id' in message ? message.batch_id : null,
    createdAt: raw.timestamp.getTime(),
    why: reasons[verdict],
  }
  await recordMessageDeadLetter(openDirectory(DIRECTORY), letter)
}
