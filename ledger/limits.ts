/** A tenant's limits of pace: requests a minute, starts a minute, jobs running at once. */
import type { Plan } from '../openapi/plan.ts'
import { countRunningJobs } from './jobs.ts'
import { readMeta, writeMeta } from './meta.ts'
import { type Rate, refused } from './replies.ts'
import type { Db } from './store.ts'
import { Window } from './window.ts'

export interface LimitNow {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  /** Of rates: when all of it is there again; null while it is, and for other limits. */
  readonly resetsAt: number | null
}

export type Pace = Readonly<Record<'requests_per_minute' | 'jobs_per_minute', LimitNow>>

export class Limits {
  readonly #db: Db
  readonly #requests: Window
  readonly #starts: Window
  #plan: Plan

  /** `memory`: whether the ledger is new, or has forgotten what was used before it was evicted. */
  constructor(db: Db, plan: Plan, now: number, memory: 'fresh' | 'unknown') {
    this.#db = db
    this.#plan = plan
    this.#requests = new Window(plan.requests_per_minute, now, readMeta(db, 'requestWindow') ?? memory)
    this.#starts = new Window(plan.jobs_per_minute, now, readMeta(db, 'startWindow') ?? memory)
  }

  get plan() {
    return this.#plan
  }

  set plan(plan: Plan) {
    this.#plan = plan
    this.#requests.limit = plan.requests_per_minute
    this.#starts.limit = plan.jobs_per_minute
  }

  /** Counts this many requests: one, or none for a call that belongs to a request counted before. */
  takeRequest(now: number, count: 0 | 1): { granted: boolean; rate: Rate } {
    const granted = this.#requests.take(count, now) === count
    const untilFree = Math.ceil((this.#requests.nextFreeAt(now) - now) / 1000)
    const resetSeconds = Math.min(60, Math.max(1, untilFree))
    return {
      granted,
      rate: { limit: this.#requests.limit, remaining: this.#requests.available(now), resetSeconds },
    }
  }

  /** One start, if `max_running` and `jobs_per_minute` let it be. */
  takeStart(now: number): boolean {
    return this.#room() > 0 && this.#starts.take(1, now) === 1
  }

  /** How many jobs may start now. */
  startsLeft(now: number): number {
    return Math.max(0, Math.min(this.#room(), this.#starts.available(now)))
  }

  /** What both windows have given, and when they are whole again. */
  pace(now: number): Pace {
    return {
      requests_per_minute: paceOf(this.#requests, now),
      jobs_per_minute: paceOf(this.#starts, now),
    }
  }

  /** When the window of starts gives again; null while it still gives. */
  startsAgainAt(now: number): number | null {
    return this.#starts.available(now) === 0 ? this.#starts.nextFreeAt(now) : null
  }

  /** Writes what an eviction must not forget. */
  keep(): void {
    const requests = this.#requests.worthWriting()
    const starts = this.#starts.worthWriting()
    if (requests) writeMeta(this.#db, 'requestWindow', requests)
    if (starts) writeMeta(this.#db, 'startWindow', starts)
  }

  #room() {
    return this.#plan.max_running - countRunningJobs(this.#db)
  }
}

function paceOf(window: Window, now: number): LimitNow {
  const remaining = window.available(now)
  const resetsAt = remaining === window.limit ? null : window.freeAt(window.limit, now)
  return { limit: window.limit, used: window.limit - remaining, remaining, resetsAt }
}

export const tooFast = (rate: Rate) =>
  refused('rate-limited', `The tenant's ${rate.limit} requests a minute are used up.`, {
    retryAfterSeconds: rate.resetSeconds,
  })
