/** Counts what the Workers log, and keeps an eye on what must not be in a log. */
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { MARKER } from './workload.ts'

interface Line {
  readonly event?: string
  readonly job_id?: string
  readonly attempt?: number
  readonly messages?: number
}

const POLL_MS = 250

export class LogTally {
  readonly events = new Map<string, number>()
  /** Attempts at a provider, as job and number, and those of them that were killed. */
  readonly attempts = new Set<string>()
  readonly kills = new Set<string>()
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
    if (line.event === 'chaos.killed' || line.event === 'job.attempted') this.attempts.add(run)
  }

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
