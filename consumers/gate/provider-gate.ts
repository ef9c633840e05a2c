/**
 * One Durable Object for each model with limits that all tenants share, named by the model's ID, and one for its chunks of batches.
 * Its memory may go at any time: then it lets through at most what the provider itself refuses, which closes it again.
 */
import { DurableObject } from 'cloudflare:workers'
import { findModel, type ProviderLimits } from '../../catalog/models.ts'
import { settingsOf } from '../settings.ts'
import { modelOfChunks } from './chunk-gate.ts'
import {
  type CallReport,
  GatePolicy,
  type OpenCall,
  type PermitAnswer,
  type PermitRequest,
} from './policy.ts'

/** Reading the input, and reporting, come on top of a call's own time. */
const BESIDES_THE_CALL_MS = 60_000
/** A chunk that is out is polled more often than this, and its permit holds anew each time. */
const CHUNK_PERMIT_MS = 15 * 60_000

export class ProviderGate extends DurableObject<ConsumersEnv> {
  #policy: GatePolicy | null = null

  /** Answers in the order of the requests. A model without limits has no gate: everything is let through. */
  ask(gate: string, requests: PermitRequest[]): PermitAnswer[] {
    const policy = this.#policyFor(gate)
    return requests.map((request) => policy?.ask(request, Date.now()) ?? { granted: true })
  }

  /** Calls that are out still. */
  hold(gate: string, requests: OpenCall[]): null {
    for (const request of requests) this.#policyFor(gate)?.hold(request, Date.now())
    return null
  }

  report(gate: string, reports: CallReport[]): null[] {
    return reports.map((report) => {
      this.#policyFor(gate)?.report(report, Date.now())
      return null
    })
  }

  #policyFor(gate: string): GatePolicy | null {
    const limits = limitsOf(gate)
    if (!limits) return null
    const { runTimeoutMs, gatePauseMs: pauseMs } = settingsOf(this.env)
    const permitMs = modelOfChunks(gate) === null ? runTimeoutMs + BESIDES_THE_CALL_MS : CHUNK_PERMIT_MS
    this.#policy ??= new GatePolicy(limits, { permitMs, pauseMs }, Date.now())
    return this.#policy
  }
}

function limitsOf(gate: string): ProviderLimits | null {
  const ofChunks = modelOfChunks(gate)
  if (ofChunks === null) return findModel(gate)?.limits ?? null
  const concurrent = findModel(ofChunks)?.batch?.concurrent ?? null
  return concurrent === null ? null : { requestsPerMinute: ANY, tokensPerMinute: ANY, concurrent }
}

/** More than there can be in a minute. */
const ANY = 1_000_000_000
