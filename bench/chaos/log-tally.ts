/** Counts what the Workers log, and keeps an eye on what must not be in a log. */
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FailureClass } from '../../openapi/job-words.ts'
import { MARKER } from './bodies.ts'

interface Line {
  readonly event?: string
  readonly job_id?: string
  readonly attempt?: number
  readonly messages?: number
  readonly class?: FailureClass | null
  readonly verdict?: string
  readonly cost_usd?: number | null
}

/** One line of an attempt: both copies of a message have theirs. */
export interface LoggedAttempt {
  readonly attempt: number
  /** The job's status after it; `already`, `superseded` or `unknown_job` where it changed nothing. */
  readonly verdict: string
  /** What it was booked at by this settlement. */
  readonly microUsd: number
}

const POLL_MS = 250
const MICRO_USD = 1_000_000

export class LogTally {
  readonly events = new Map<string, number>()
  /** Attempts at a provider, as job and number, and those of them that were killed. */
  readonly attempts = new Set<string>()
  readonly kills = new Set<string>()
  /** Jobs with a settlement whose reply was lost: what it booked stands in no line. */
  readonly unheard = new Set<string>()
  /** Attempts that failed, by class. */
  readonly failures = new Map<string, number>()
  readonly #byJob = new Map<string, LoggedAttempt[]>()
  readonly leaks: string[] = []
  doubled = 0
  readonly #file: string | null
  #lastAt = Date.now()

  /** `file` gets every line; null for none. */
  constructor(file: string | null) {
    this.#file = file
  }

  readonly take = (text: string): void => {
    this.#lastAt = Date.now()
    if (this.#file) appendFileSync(this.#file, `${new Date().toISOString()} ${text}\n`)
    if (text.includes(MARKER)) this.leaks.push(text.slice(0, 120))
    const line = parsed(text)
    if (!line?.event) return
    add(this.events, line.event)
    const run = `${line.job_id} ${line.attempt}`
    if (line.event === 'chaos.doubled') this.doubled += line.messages ?? 0
    if (line.event === 'chaos.killed') this.kills.add(run)
    if (line.event === 'chaos.unheard') this.unheard.add(line.job_id ?? '')
    if (line.event === 'chaos.killed' || line.event === 'job.attempted') this.attempts.add(run)
    if (line.event === 'job.attempted') this.#attempted(line)
  }

  #attempted({ job_id = '', attempt = 0, verdict = '', class: failed, cost_usd }: Line): void {
    const lines = this.#byJob.get(job_id) ?? []
    lines.push({ attempt, verdict, microUsd: Math.round((cost_usd ?? 0) * MICRO_USD) })
    this.#byJob.set(job_id, lines)
    if (failed && verdict !== 'already') add(this.failures, failed)
  }

  attemptsOf = (jobId: string): readonly LoggedAttempt[] => this.#byJob.get(jobId) ?? []

  /** Since the last line. */
  get quietMs() {
    return Date.now() - this.#lastAt
  }

  count = (event: string) => this.events.get(event) ?? 0

  /** Resolves once nothing has been logged for so long, or after `boundMs`. */
  async quietFor(ms: number, boundMs: number): Promise<void> {
    const until = Date.now() + boundMs
    while (this.quietMs < ms && Date.now() < until) await sleep(POLL_MS)
  }
}

function parsed(text: string): Line | null {
  try {
    return JSON.parse(text) as Line
  } catch {
    return null
  }
}

const add = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
