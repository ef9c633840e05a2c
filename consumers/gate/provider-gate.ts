/**
 * One Durable Object for each model with limits that all tenants share, named by the model's ID. Its memory may go at any time: then
 * it lets through at most what the provider itself refuses, which closes it again.
 */
import { DurableObject } from 'cloudflare:workers'
import { findModel } from '../../catalog/models.ts'
import { settingsOf } from '../settings.ts'
import { type CallReport, GatePolicy, type PermitAnswer, type PermitRequest } from './policy.ts'

/** Reading the input, and reporting, come on top of a call's own time. */
const BESIDES_THE_CALL_MS = 60_000

export class ProviderGate extends DurableObject<ConsumersEnv> {
  #policy: GatePolicy | null = null

  /** Answers in the order of the requests. A model without limits has no gate: everything is let through. */
  ask(model: string, requests: PermitRequest[]): PermitAnswer[] {
    const policy = this.#policyFor(model)
    return requests.map((request) => policy?.ask(request, Date.now()) ?? { granted: true })
  }

  report(model: string, reports: CallReport[]): null[] {
    return reports.map((report) => {
      this.#policyFor(model)?.report(report, Date.now())
      return null
    })
  }

  #policyFor(model: string): GatePolicy | null {
    const limits = findModel(model)?.limits
    if (!limits) return null
    const { runTimeoutMs, gatePauseMs: pauseMs } = settingsOf(this.env)
    const timing = { permitMs: runTimeoutMs + BESIDES_THE_CALL_MS, pauseMs }
    this.#policy ??= new GatePolicy(limits, timing, Date.now())
    return this.#policy
  }
}
