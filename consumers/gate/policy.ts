/**
 * Who may call a provider's model now, within the limits that all tenants share. Pure: times in milliseconds, passed in.
 *
 * Permits are leases: one that is never reported ends by itself, so that no slot leaks. What was said to a call is said again: two
 * consumers can hold the same claim, and one that was refused has given the claim back. After a 429 or an overload nothing is let
 * through for a while, twice as long each time, until an answer comes.
 */
import type { ProviderLimits } from '../../catalog/models.ts'
import { Window } from '../../ledger/window.ts'

export interface PermitRequest {
  /** Names the call: one attempt of the job, or one submission of a chunk. */
  readonly permit: string
  /** What the call is an attempt of. */
  readonly jobId: string
  readonly tenantId: string
  /** Tokens that the call is expected to use. */
  readonly tokens: number
}

export type OpenCall = Omit<PermitRequest, 'tokens'>

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

export interface GateTiming {
  /** How long a permit holds without a report: longer than any call. */
  readonly permitMs: number
  /** How long the first refusal by the provider closes the gate; each further one for twice as long. */
  readonly pauseMs: number
}

interface Permit {
  readonly jobId: string
  readonly tenantId: string
  readonly until: number
}

/** A tenant that was refused its turn. */
interface Waiting {
  readonly since: number
  readonly until: number
  /** Of the largest call that it waits with. */
  readonly tokens: number
}

/** However long one header asks for: it stops all tenants, so the provider is asked again after this. */
const PAUSE_CAP_MS = 60_000
/** What a refused caller waits at least, and for each of those before it; and at most, since room may come sooner than it looks. */
const TURN_MS = 1000
const LONGEST_TURN_MS = 5000
/** A tenant that was refused counts as waiting for this long: longer than it takes to ask again. */
const WAITING_MS = 15_000
/** After so long others leave it the tokens that come free, so that a large call finds them together. */
const PATIENCE_MS = 10_000

export class GatePolicy {
  readonly #limits: ProviderLimits
  readonly #timing: GateTiming
  readonly #requests: Window
  readonly #tokens: Window
  readonly #permits = new Map<string, Permit>()
  /** What was said to calls that are not out (any more). */
  readonly #said = new Map<string, { granted: boolean; until: number }>()
  readonly #waiting = new Map<string, Waiting>()
  #pausedUntil = 0
  #refusals = 0

  constructor(limits: ProviderLimits, timing: GateTiming, now: number) {
    this.#limits = limits
    this.#timing = timing
    this.#requests = new Window(limits.requestsPerMinute, now, 'fresh')
    this.#tokens = new Window(limits.tokensPerMinute, now, 'fresh')
  }

  ask(request: PermitRequest, now: number): PermitAnswer {
    this.#expire(now)
    this.#endOthersOf(request)
    if (this.#permits.has(request.permit)) return { granted: true }
    const said = this.#said.get(request.permit)
    if (said) return said.granted ? this.#grant(request, now) : { granted: false, notBefore: now + TURN_MS }
    const notBefore = this.#closedUntil(request, now)
    return notBefore === null ? this.#grant(request, now) : this.#refuse(request, notBefore, now)
  }

  /** The call is out, whatever was said to it: its permit holds anew. A gate that lost its memory learns of it so. */
  hold({ permit, jobId, tenantId }: OpenCall, now: number): void {
    this.#endOthersOf({ permit, jobId })
    this.#permits.set(permit, { jobId, tenantId, until: now + this.#timing.permitMs })
  }

  /** The call has ended; a refusal by the provider closes the gate for a while. */
  report({ permit, outcome, retryAfterMs }: CallReport, now: number): void {
    if (this.#permits.delete(permit)) this.#remember(permit, true, now)
    if (outcome === 'answered') this.#refusals = 0
    if (outcome !== 'limited') return
    // Calls that were out together are refused together: that is one refusal.
    if (now >= this.#pausedUntil) this.#refusals++
    const pauseMs = Math.min(PAUSE_CAP_MS, this.#timing.pauseMs * 2 ** (this.#refusals - 1))
    const askedMs = Math.min(PAUSE_CAP_MS, retryAfterMs ?? 0)
    this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.max(pauseMs, askedMs))
  }

  #grant({ permit, jobId, tenantId, tokens }: PermitRequest, now: number): PermitAnswer {
    this.#requests.take(1, now)
    this.#tokens.take(this.#neededOf(tokens), now)
    this.#permits.set(permit, { jobId, tenantId, until: now + this.#timing.permitMs })
    this.#said.delete(permit)
    this.#waiting.delete(tenantId)
    return { granted: true }
  }

  #refuse({ permit, tenantId, tokens }: PermitRequest, notBefore: number, now: number): PermitAnswer {
    const before = this.#waiting.get(tenantId) ?? { since: now, tokens: 0 }
    const until = Math.max(notBefore, now) + WAITING_MS
    const largest = Math.max(before.tokens, this.#neededOf(tokens))
    this.#waiting.set(tenantId, { since: before.since, until, tokens: largest })
    this.#remember(permit, false, now)
    return { granted: false, notBefore }
  }

  #remember(permit: string, granted: boolean, now: number): void {
    this.#said.set(permit, { granted, until: now + this.#timing.permitMs })
  }

  /** Null when the gate is open to this call. */
  #closedUntil({ tenantId, tokens }: PermitRequest, now: number): number | null {
    if (now < this.#pausedUntil) return this.#pausedUntil
    if (this.#standsBack(tenantId, this.#neededOf(tokens), now)) return now + TURN_MS
    if (this.#requests.available(now) < 1) return this.#requests.nextFreeAt(now)
    const freeAt = this.#tokens.freeAt(this.#neededOf(tokens), now)
    if (freeAt > now) return Math.min(freeAt, now + LONGEST_TURN_MS)
    return this.#permits.size < this.#limits.concurrent && !this.#isOverShare(tenantId)
      ? null
      : now + TURN_MS * (1 + Math.floor(this.#waiting.size / this.#limits.concurrent))
  }

  /** A call larger than the limit of a whole minute goes when a whole minute is free. */
  #neededOf = (tokens: number) => Math.min(tokens, this.#limits.tokensPerMinute)

  /** Whether there are not tokens for both this call and that of the tenant that has waited longest, and long enough. */
  #standsBack(tenantId: string, needed: number, now: number): boolean {
    const [first] = [...this.#waiting].toSorted(([, a], [, b]) => a.since - b.since)
    if (!first || first[0] === tenantId || now - first[1].since < PATIENCE_MS) return false
    return this.#tokens.available(now) < first[1].tokens + needed
  }

  /** A tenant may hold more than its share only while nobody else waits. */
  #isOverShare(tenantId: string): boolean {
    const others = [...this.#waiting.keys()].filter((id) => id !== tenantId)
    if (others.length === 0) return false
    const holders = Array.from(this.#permits.values(), (one) => one.tenantId)
    const active = new Set([tenantId, ...others, ...holders])
    const share = Math.max(1, Math.floor(this.#limits.concurrent / active.size))
    return holders.filter((holder) => holder === tenantId).length >= share
  }

  /** A job asks for a new attempt once its last is over, whether that was reported or its consumer died. */
  #endOthersOf({ permit, jobId }: Pick<PermitRequest, 'permit' | 'jobId'>): void {
    for (const [other, held] of this.#permits)
      if (held.jobId === jobId && other !== permit) this.#permits.delete(other)
  }

  #expire(now: number): void {
    for (const kept of [this.#permits, this.#said, this.#waiting])
      for (const [key, { until }] of kept) if (until <= now) kept.delete(key)
  }
}
