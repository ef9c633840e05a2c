/**
 * One batch of a jobs queue: parse, claim by tenant in one call, run side by side, settle in micro-batches. Each message is
 * acknowledged or retried on its own. A retry of the queue's is for when claiming or settling was impossible; everything else is
 * the ledger's to decide.
 */

import { withFreshStub } from '../ledger/call.ts'
import type { Claim, Lease } from '../ledger/claim.ts'
import { findLedgerName } from '../ledger/directory/tenants.ts'
import { errorName, log } from '../ledger/log.ts'
import { JobMessage } from '../ledger/messages.ts'
import { retryLater, sortMessages } from '../ledger/queue.ts'
import type { Settled, Settlement } from '../ledger/settle.ts'
import { type Heart, startHeart } from './heart.ts'
import { MicroBatch } from './micro-batch.ts'
import { providersFor } from './providers.ts'
import { runLease } from './run.ts'
import { Semaphore } from './semaphore.ts'
import type { Settings } from './settings.ts'

const CONCURRENT_RUNS = 4
const SETTLE_WINDOW_MS = 50

type Known = { raw: Message; message: JobMessage }

export async function consumeJobs(batch: MessageBatch, env: ConsumersEnv, settings: Settings): Promise<void> {
  const known = await sortMessages(batch, JobMessage, env)
  const byTenant = Map.groupBy(known, ({ message }) => message.tenant_id)
  const slots = new Semaphore(CONCURRENT_RUNS)
  await Promise.all(
    Array.from(byTenant, ([tenantId, messages]) => consumeTenant(tenantId, messages, env, settings, slots)),
  )
}

async function consumeTenant(
  tenantId: string,
  messages: Known[],
  env: ConsumersEnv,
  settings: Settings,
  slots: Semaphore,
): Promise<void> {
  try {
    const name = await findLedgerName(env.DIRECTORY, tenantId, Date.now())
    if (name === null) return acknowledge(messages)
    const stub = () => env.LEDGERS.getByName(name)
    const claims = await withFreshStub(stub, (ledger) => ledger.claimJobs(messages.map(claimOf)))
    await runClaims(claims, messages, { tenantId, stub, env, settings, slots })
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

interface Tenancy {
  readonly tenantId: string
  readonly stub: () => ReturnType<ConsumersEnv['LEDGERS']['getByName']>
  readonly env: ConsumersEnv
  readonly settings: Settings
  readonly slots: Semaphore
}

async function runClaims(claims: Claim[], messages: Known[], tenancy: Tenancy): Promise<void> {
  const raws = new Map(messages.map(({ raw }) => [raw.id, raw]))
  const leases = claims.flatMap((claim) => ('lease' in claim ? [claim.lease] : []))
  const heart = startHeart(leases, tenancy.stub)
  const settling = new MicroBatch<Settlement, Settled>(SETTLE_WINDOW_MS, (items) =>
    withFreshStub(tenancy.stub, (ledger) => ledger.settleJobs(items)),
  )
  await Promise.all(
    claims.map(async (claim) => {
      const raw = raws.get(claim.messageId)
      if ('lease' in claim) await runClaim(claim.lease, raw, heart, settling, tenancy)
      else raw?.ack()
    }),
  )
  heart.stop()
}

async function runClaim(
  lease: Lease,
  raw: Message | undefined,
  heart: Heart,
  settling: MicroBatch<Settlement, Settled>,
  { tenantId, env, settings, slots }: Tenancy,
): Promise<void> {
  const providers = providersFor(env, settings)
  const parts = { tenantId, content: env.CONTENT, providers, timeoutMs: settings.runTimeoutMs, now: Date.now }
  try {
    const settlement = await slots.run(() => runLease(lease, heart.signalOf(lease), parts))
    await settling.add(settlement)
    raw?.ack()
  } catch (error) {
    log('jobs.settle_failed', { job_id: lease.jobId, attempt: lease.attempt, error: errorName(error) })
    if (raw) retryLater(raw)
  } finally {
    heart.release(lease)
  }
}
