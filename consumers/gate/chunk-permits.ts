/**
 * The gates as the Workflow of a batch sees them: a chunk holds its permit from its submission until its answer is there. Nothing here
 * throws: a gate paces, and decides about nothing.
 */
import { findModel } from '../../catalog/models.ts'
import { withFreshStub } from '../../ledger/call.ts'
import type { Failure } from '../../ledger/judge.ts'
import { errorName, log } from '../../ledger/log.ts'
import { chunkGate } from './chunk-gate.ts'
import type { CallReport, PermitAnswer } from './policy.ts'
import type { ProviderGate } from './provider-gate.ts'

/** A gate that cannot be reached lets nothing through. */
const OUT_OF_REACH_MS = 5000

export interface PermitParts {
  readonly gates: ConsumersEnv['GATES']
  readonly tenantId: string
  readonly batchId: string
}

type GateStub = DurableObjectStub<ProviderGate>

export class ChunkPermits {
  readonly #parts: PermitParts

  constructor(parts: PermitParts) {
    this.#parts = parts
  }

  /** Null when the chunk may be submitted now; else the time before which asking again is of no use. `turn`: another one each time. */
  async closedUntil(model: string, chunk: number, turn: string): Promise<number | null> {
    if (!isLimited(model)) return null
    const request = { ...this.#callOf(chunk), permit: this.#turnOf(chunk, turn), tokens: 0 }
    const closed: PermitAnswer = { granted: false, notBefore: Date.now() + OUT_OF_REACH_MS }
    const answers = await this.#atGate(model, (gate) => gate.ask(chunkGate(model), [request]))
    const answer = answers?.[0] ?? closed
    return answer.granted ? null : answer.notBefore
  }

  /** Its submission came to nothing: of this, where it failed. */
  async notSubmitted(model: string, chunk: number, turn: string, failure: Failure | null): Promise<void> {
    await this.#report(model, this.#turnOf(chunk, turn), failure ?? 'other')
  }

  /** The chunks are out. To be said at each poll: the gate may have forgotten. */
  async areOut(model: string, chunks: readonly number[]): Promise<void> {
    const calls = chunks.map((chunk) => this.#callOf(chunk))
    await this.#atGate(model, (gate) => gate.hold(chunkGate(model), calls))
  }

  /** The chunk is out no more. */
  async ended(model: string, chunk: number, end: Failure | 'answered' | 'other'): Promise<void> {
    await this.#report(model, this.#callOf(chunk).permit, end)
  }

  async #report(model: string, permit: string, end: Failure | 'answered' | 'other'): Promise<void> {
    const report = typeof end === 'string' ? { outcome: end, retryAfterMs: null } : refusal(end)
    await this.#atGate(model, (gate) => gate.report(chunkGate(model), [{ permit, ...report }]))
  }

  /** Null where the model has no gate, or it cannot be reached. */
  async #atGate<T>(model: string, call: (gate: GateStub) => Promise<T>): Promise<T | null> {
    if (!isLimited(model)) return null
    const { gates, batchId } = this.#parts
    try {
      return await withFreshStub(() => gates.getByName(chunkGate(model)), call)
    } catch (error) {
      log('gate.call_failed', { model, batch_id: batchId, error: errorName(error) })
      return null
    }
  }

  #callOf(chunk: number) {
    const { tenantId, batchId } = this.#parts
    const permit = `${batchId}/${chunk}`
    return { permit, jobId: permit, tenantId }
  }

  #turnOf = (chunk: number, turn: string) => `${this.#callOf(chunk).permit}/${turn}`
}

const isLimited = (model: string) => (findModel(model)?.batch?.concurrent ?? null) !== null

const refusal = ({ class: failure, retryAfterMs }: Failure): Omit<CallReport, 'permit'> => ({
  outcome: failure === 'rate_limited' || failure === 'provider_overloaded' ? 'limited' : 'other',
  retryAfterMs,
})
