/** The gates as one queue batch sees them: what is asked and reported at about the same time travels as one call for each model. */
import { findModel } from '../../catalog/models.ts'
import { withFreshStub } from '../../ledger/call.ts'
import type { Lease } from '../../ledger/claim.ts'
import type { Failure } from '../../ledger/judge.ts'
import { errorName, log } from '../../ledger/log.ts'
import { MicroBatch } from '../micro-batch.ts'
import type { CallReport, PermitAnswer, PermitRequest } from './policy.ts'

const ASK_WINDOW_MS = 20
const REPORT_WINDOW_MS = 50
/** A gate that cannot be reached lets nothing through. */
const OUT_OF_REACH_MS = 5000

/** One call of a model: an attempt of a job, or of something that is none. */
export type GatedCall = Pick<Lease, 'jobId' | 'attempt' | 'model' | 'expectedTokens'>

/** What the provider said to it. */
export type CallOutcome = { readonly kind: 'completed' } | ({ readonly kind: 'failed' } & Failure)

interface Turnstile {
  readonly asking: MicroBatch<PermitRequest, PermitAnswer>
  readonly reporting: MicroBatch<CallReport, null>
}

export class Gates {
  readonly #namespace: ConsumersEnv['GATES']
  readonly #turnstiles = new Map<string, Turnstile>()

  constructor(namespace: ConsumersEnv['GATES']) {
    this.#namespace = namespace
  }

  /** Null when the attempt may call its model now; else the time before which asking again is of no use. */
  async closedUntil(call: GatedCall, tenantId: string): Promise<number | null> {
    if (!isLimited(call)) return null
    const { jobId, expectedTokens: tokens } = call
    const request = { permit: permitOf(call), jobId, tenantId, tokens }
    try {
      const answer = await this.#turnstile(call.model).asking.add(request)
      return answer.granted ? null : answer.notBefore
    } catch (error) {
      log('gate.ask_failed', { model: call.model, error: errorName(error) })
      return Date.now() + OUT_OF_REACH_MS
    }
  }

  /** Never throws: a permit that is not reported ends by itself. */
  async report(call: GatedCall, outcome: CallOutcome): Promise<void> {
    if (!isLimited(call)) return
    const retryAfterMs = outcome.kind === 'failed' ? outcome.retryAfterMs : null
    const report = { permit: permitOf(call), outcome: reported(outcome), retryAfterMs }
    try {
      await this.#turnstile(call.model).reporting.add(report)
    } catch (error) {
      log('gate.report_failed', { model: call.model, error: errorName(error) })
    }
  }

  #turnstile(model: string): Turnstile {
    const known = this.#turnstiles.get(model)
    if (known) return known
    const stub = () => this.#namespace.getByName(model)
    const turnstile = {
      asking: new MicroBatch<PermitRequest, PermitAnswer>(ASK_WINDOW_MS, (requests) =>
        withFreshStub(stub, (gate) => gate.ask(model, requests)),
      ),
      reporting: new MicroBatch<CallReport, null>(REPORT_WINDOW_MS, (reports) =>
        withFreshStub(stub, (gate) => gate.report(model, reports)),
      ),
    }
    this.#turnstiles.set(model, turnstile)
    return turnstile
  }
}

const isLimited = ({ model }: GatedCall) => (findModel(model)?.limits ?? null) !== null

const permitOf = ({ jobId, attempt }: GatedCall) => `${jobId}-${attempt}`

function reported(outcome: CallOutcome): CallReport['outcome'] {
  if (outcome.kind === 'completed') return 'answered'
  return ['rate_limited', 'provider_overloaded'].includes(outcome.class) ? 'limited' : 'other'
}
