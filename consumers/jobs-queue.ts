/**
 * One batch of a jobs queue: parse, claim by tenant in one call, run side by side, settle in micro-batches. Each message is
 * acknowledged or retried on its own. A retry of the queue's is for when claiming or settling was impossible; everything else is
 * the ledger's to decide.
 */

import { withFreshStub } from '../ledger/call.ts'
import { findLedgerName, forgetLedgerName } from '../ledger/directory/tenants.ts'
import { errorName, log } from '../ledger/log.ts'
import { JobMessage } from '../ledger/messages.ts'
import { retryLater, sortMessages } from '../ledger/queue.ts'
import { ClaimRunner, type Shared } from './claim-runner.ts'
import { Gates } from './gate/gates.ts'
import { Semaphore } from './semaphore.ts'
import type { Settings } from './settings.ts'

const CONCURRENT_RUNS = 4

type Known = { raw: Message; message: JobMessage }

export async function consumeJobs(batch: MessageBatch, env: ConsumersEnv, settings: Settings): Promise<void> {
  const known = await sortMessages(batch, JobMessage, env)
  const byTenant = Map.groupBy(known, ({ message }) => message.tenant_id)
  const shared = { env, settings, slots: new Semaphore(CONCURRENT_RUNS), gates: new Gates(env.GATES) }
  await Promise.all(Array.from(byTenant, ([tenantId, messages]) => consumeTenant(tenantId, messages, shared)))
}

async function consumeTenant(tenantId: string, messages: Known[], shared: Shared): Promise<void> {
  const { env } = shared
  try {
    const name = await findLedgerName(env.DIRECTORY, tenantId, Date.now())
    if (name === null) return acknowledge(messages)
    const stub = () => env.LEDGERS.getByName(name)
    const claims = await withFreshStub(stub, (ledger) => ledger.claimJobs(messages.map(claimOf)))
    if (claims.length === 0) forgetLedgerName(tenantId)
    const raws = new Map(messages.map(({ raw }) => [raw.id, raw]))
    await new ClaimRunner({ ...shared, tenantId, stub }).run(claims, raws)
  } catch (error) {
    log('jobs.claim_failed', { tenant_id: tenantId, messages: messages.length, error: errorName(error) })
    for (const { raw } of messages) retryLater(raw)
  }
}

const claimOf = ({ raw, message }: Known) => ({
  messageId: raw.id,
  jobId: message.job_id,
  attempt: message.attempt,
})

function acknowledge(messages: Known[]): void {
  for (const { raw } of messages) raw.ack()
}
