/** A ledger's jobs in memory, behind the desk as in the object itself: time is the caller's (fake timers). */
import type { Plan } from '../openapi/plan.ts'
import { type AcceptRequest, acceptJob } from './accept.ts'
import { cancelJob } from './cancel.ts'
import { claimJob } from './claim.ts'
import type { LedgerContext } from './context.ts'
import { deskOn } from './desk.fixture.ts'
import type { Desk } from './desk.ts'
import { mintId, randomBytes } from './ids.ts'
import { type AttemptOutcome, settleJob } from './settle.ts'
import { memoryStorage } from './sqlite.fixture.ts'
import { openStore } from './store.ts'
import { standingOf } from './tenant-standing.fixture.ts'

export const completed: AttemptOutcome = { kind: 'completed', output: '{}', outputRef: null }
export const failedOf = (failed: Extract<AttemptOutcome, { kind: 'failed' }>['class']): AttemptOutcome => ({
  kind: 'failed',
  class: failed,
  retryAfterMs: null,
})

export class JobLedger {
  readonly #storage = memoryStorage()
  readonly db = openStore(this.#storage, { calls: 0, rowsWritten: 0 })
  desk: Desk

  constructor(plan: Partial<Plan> = {}) {
    this.desk = deskOn(this.#storage, this.db)
    this.desk.provision(standingOf({ test_models: true, ...plan }))
  }

  /** What was in memory is gone. */
  evict(): void {
    this.desk = deskOn(this.#storage, this.db)
    this.desk.load()
  }

  get life() {
    if (!this.desk.life) throw new Error('The ledger is not provisioned.')
    return this.desk.life
  }

  /** One transaction, now. */
  run<T>(verb: (ctx: LedgerContext) => T): T {
    return this.desk.transact(this.life, Date.now(), verb)
  }

  accept(model = 'embedded/extract-1', deadlineSeconds = 3600): string {
    const id = mintId('job', 0, Date.now(), randomBytes)
    const [provider = ''] = model.split('/')
    const request: AcceptRequest = {
      jobId: id,
      key: { hash: id, fingerprint: id },
      kind: 'summarize',
      model,
      modelVersion: '1',
      provider,
      input: '{}',
      inputRef: null,
      params: null,
      metadata: {},
      fileRefs: [],
      priority: 'normal',
      deadlineSeconds,
      retentionSeconds: 60,
      confidentiality: 'internal',
      processingVersion: '1',
      createdBy: 'client',
      traceparent: '00-1-1-00',
      inputTokens: 1,
      maxCostMicroUsd: null,
    }
    const accepted = this.run((ctx) => acceptJob(ctx, request))
    if (!accepted.ok) throw new Error(accepted.refusal.code)
    return id
  }

  claim(jobId: string, attempt = 1): void {
    const claim = this.run((ctx) => claimJob(ctx, { messageId: `m${attempt}`, jobId, attempt }, () => true))
    if (!('lease' in claim)) throw new Error(claim.notHeld)
  }

  settle(jobId: string, outcome: AttemptOutcome, attempt = 1) {
    const settlement = { jobId, attempt, outcome, usage: null, providerRequestId: null }
    return this.run((ctx) => settleJob(ctx, settlement))
  }

  cancel = (id: string) => this.run((ctx) => cancelJob(ctx, id, null))
}
