/** Runs what one tenant's messages in a batch have claimed: through the gate, at the provider, back to the ledger. */
import { type LedgerStub, withFreshStub } from '../ledger/call.ts'
import type { Claim, Lease } from '../ledger/claim.ts'
import { errorName, log } from '../ledger/log.ts'
import { retryLater } from '../ledger/queue.ts'
import type { GivenBack } from '../ledger/release-claim.ts'
import type { Settled, Settlement } from '../ledger/settle.ts'
import { tellAttempt } from './attempted.ts'
import type { Gates } from './gate/gates.ts'
import { type Heart, startHeart } from './heart.ts'
import { MicroBatch } from './micro-batch.ts'
import { providersFor } from './providers.ts'
import { runLease } from './run.ts'
import type { Semaphore } from './semaphore.ts'
import type { Settings } from './settings.ts'

const SETTLE_WINDOW_MS = 50

/** What all tenants of a queue batch share. */
export interface Shared {
  readonly env: ConsumersEnv
  readonly settings: Settings
  readonly slots: Semaphore
  readonly gates: Gates
}

export interface Tenancy extends Shared {
  readonly tenantId: string
  readonly stub: () => LedgerStub
}

type Held = Extract<Claim, { lease: Lease }>
const isHeld = (claim: Claim): claim is Held => 'lease' in claim

export class ClaimRunner {
  readonly #tenancy: Tenancy
  readonly #settling: MicroBatch<Settlement, Settled>
  readonly #givingBack: MicroBatch<GivenBack, null>

  constructor(tenancy: Tenancy) {
    const { stub } = tenancy
    this.#tenancy = tenancy
    this.#settling = new MicroBatch(SETTLE_WINDOW_MS, (items) =>
      withFreshStub(stub, (ledger) => ledger.settleJobs(items)),
    )
    this.#givingBack = new MicroBatch(SETTLE_WINDOW_MS, (items) =>
      withFreshStub(stub, (ledger) => ledger.releaseJobs(items)),
    )
  }

  /** `messages` by their IDs: each is acknowledged or retried on its own. */
  async run(claims: Claim[], messages: ReadonlyMap<string, Message>): Promise<void> {
    const held = claims.filter(isHeld)
    const heart = startHeart(
      held.map(({ lease }) => lease),
      this.#tenancy.stub,
    )
    for (const claim of claims) if (!isHeld(claim)) messages.get(claim.messageId)?.ack()
    await Promise.all(held.map(({ lease, messageId }) => this.#runOne(lease, messages.get(messageId), heart)))
    heart.stop()
  }

  async #runOne(lease: Lease, message: Message | undefined, heart: Heart): Promise<void> {
    try {
      const closedUntil = await this.#tenancy.gates.closedUntil(lease, this.#tenancy.tenantId)
      if (closedUntil === null) await this.#attempt(lease, heart)
      else await this.#giveBack(lease, closedUntil)
      message?.ack()
    } catch (error) {
      log('jobs.settle_failed', { job_id: lease.jobId, attempt: lease.attempt, error: errorName(error) })
      if (message) retryLater(message)
    } finally {
      heart.release(lease)
    }
  }

  async #attempt(lease: Lease, heart: Heart): Promise<void> {
    const { tenantId, env, settings, slots, gates } = this.#tenancy
    const providers = providersFor(env, settings)
    const parts = {
      tenantId,
      content: env.CONTENT,
      providers,
      timeoutMs: settings.runTimeoutMs,
      now: Date.now,
    }
    const { settlement, latencyMs } = await slots.run(() => runLease(lease, heart.signalOf(lease), parts))
    const reported = gates.report(lease, settlement.outcome)
    const settled = await this.#settling.add(settlement)
    tellAttempt({ tenantId, lease, settlement, latencyMs, settled })
    await reported
  }

  async #giveBack({ jobId, attempt, model }: Lease, notBefore: number): Promise<void> {
    await this.#givingBack.add({ jobId, attempt, model, notBefore })
    log('job.released', {
      tenant_id: this.#tenancy.tenantId,
      job_id: jobId,
      attempt,
      model,
      not_before: notBefore,
    })
  }
}
