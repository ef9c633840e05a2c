/**
 * Who may call a provider's model now, within the limits that all tenants share. Pure: times in milliseconds, passed in.
 *
 * Permits are leases: one that is never reported ends by itself, so that no slot leaks. The same permit asked for again is the same
 * permit. After a 429 or an overload nothing is let through for a while, twice as long each time, until an answer comes.
 */
import type { ProviderLimits } from '../../catalog/models.ts'
import { Window } from '../../ledger/window.ts'

export interface PermitRequest {
  /** Names the call: asking again under it, after a lost reply, costs nothing. */
  readonly permit: string
  readonly tenantId: string
  /** Tokens that the call is expected to use. */
  readonly tokens: number
}

export type PermitAnswer =
  | { readonly granted: true }
  /** `notBefore`: when asking again may be of use. */
  | { readonly granted: false; readonly notBefore: number }

export interface CallReport {
  readonly permit: string
  /** `limited`: the provider refused, for its limits or its load. */
  readonly outcome: 'answered' | 'limited' | 'other'
  readonly retryAfterMs: number | null
}

interface Permit {
  readonly tenantId: string
  readonly until: number
}

export interface GateTiming {
  /** How long a permit holds without a report: longer than any call. */
  readonly permitMs: number
  /** How long the first refusal by the provider closes the gate; each further one for twice as long. */
  readonly pauseMs: number
}

/** However long one header asks for: it stops all tenants, so the provider is asked again after this. */
const PAUSE_CAP_MS = 60_000
/** What a denied caller waits at least, and for each of those before it. */
const TURN_MS = 1000
/** A tenant that was denied counts as waiting for this long. */
const WAITING_MS = 5000

export class GatePolicy {
  readonly #limits: ProviderLimits
  readonly #timing: GateTiming
  readonly #requests: Window
  readonly #tokens: Window
  readonly #permits = new Map<string, Permit>()
  /** Tenants that were denied a turn, until when that counts. */
  readonly #waiting = new Map<string, number>()
  #pausedUntil = 0
  #refusals = 0

  constructor(limits: ProviderLimits, timing: GateTiming, now: number) {
    this.#limits = limits
    this.#timing = timing
    this.#requests = new Window(limits.requestsPerMinute, now, 'fresh')
    this.#tokens = new Window(limits.tokensPerMinute, now, 'fresh')
  }

  ask({ permit, tenantId, tokens }: PermitRequest, now: number): PermitAnswer {
    this.#expire(now)
    if (this.#permits.has(permit)) return { granted: true }
    const notBefore = this.#closedUntil(tenantId, tokens, now)
    if (notBefore !== null) {
      this.#waiting.set(tenantId, now + WAITING_MS)
      return { granted: false, notBefore }
    }
    this.#requests.take(1, now)
    this.#tokens.take(tokens, now)
    this.#permits.set(permit, { tenantId, until: now + this.#timing.permitMs })
    this.#waiting.delete(tenantId)
    return { granted: true }
  }

  /** The call has ended; a refusal by the provider closes the gate for a while. */
  report({ permit, outcome, retryAfterMs }: CallReport, now: number): void {
    this.#permits.delete(permit)
    if (outcome === 'answered') this.#refusals = 0
    if (outcome !== 'limited') return
    // Calls that were out together are refused together: that is one refusal.
    if (now >= this.#pausedUntil) this.#refusals++
    const pauseMs = Math.min(PAUSE_CAP_MS, this.#timing.pauseMs * 2 ** (this.#refusals - 1))
    const askedMs = Math.min(PAUSE_CAP_MS, retryAfterMs ?? 0)
    this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.max(pauseMs, askedMs))
  }

  /** Null when the gate is open to this call. */
  #closedUntil(tenantId: string, tokens: number, now: number): number | null {
    if (now < this.#pausedUntil) return this.#pausedUntil
    if (this.#requests.available(now) < 1) return this.#requests.nextFreeAt(now)
    // A call larger than the limit of a whole minute goes when a whole minute is free.
    const needed = Math.min(tokens, this.#limits.tokensPerMinute)
    if (this.#tokens.available(now) < needed) return this.#tokens.nextFreeAt(now)
    return this.#permits.size < this.#limits.concurrent && !this.#isOverShare(tenantId)
      ? null
      : now + TURN_MS * (1 + Math.floor(this.#waiting.size / this.#limits.concurrent))
  }

  /** A tenant may hold more than its share only while nobody else waits. */
  #isOverShare(tenantId: string): boolean {
    const others = [...this.#waiting.keys()].filter((id) => id !== tenantId)
    if (others.length === 0) return false
    const active = new Set([
      tenantId,
      ...others,
      ...Array.from(this.#permits.values(), (one) => one.tenantId),
    ])
    const share = Math.max(1, Math.floor(this.#limits.concurrent / active.size))
    const held = Array.from(this.#permits.values()).filter((one) => one.tenantId === tenantId)
    return held.length >= share
  }

  #expire(now: number): void {
    for (const [permit, { until }] of this.#permits) if (until <= now) this.#permits.delete(permit)
    for (const [tenantId, until] of this.#waiting) if (until <= now) this.#waiting.delete(tenantId)
  }
}
