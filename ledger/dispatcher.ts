/**
 * Sends references to runnable jobs to the queues, and remembers which are out.
 *
 * The marks live in memory, which saves a row for each job; what was dispatched and never claimed is sent again at growing
 * intervals, but not while the queue itself is so far behind that the first message may still be waiting in it. Marks that
 * outlive an interval are worth keeping: the ledger stores `state()` then, so that an eviction does not breed duplicates.
 */
import { earliest } from './earliest.ts'
import { type JobQueue, jobQueues, laneOf } from './lanes.ts'
import { type JobMessage, MESSAGE_VERSION } from './messages.ts'
import type { Runnable } from './release.ts'
import { Sender, type SenderParts, within } from './sender.ts'

interface Mark {
  readonly at: number
  /** When it is to be looked at, unless it was claimed by then. */
  readonly lookAt: number
  readonly tries: number
  readonly queue: JobQueue
}

export type Marks = Record<string, Mark>
export type JobQueues = Record<JobQueue, Pick<Queue<JobMessage>, 'sendBatch' | 'metrics'>>

const MAX_DOUBLINGS = 6
/** Dispatches in vain that are remembered; forgetting them only makes the next sweep come sooner. */
const MAX_VAIN = 10_000

export class Dispatcher {
  readonly #queues: JobQueues
  readonly #parts: SenderParts
  readonly #senders: Record<JobQueue, Sender<JobMessage>>
  readonly #sweepMs: number
  readonly #onFreed: () => void
  readonly #marks = new Map<string, Mark>()
  /** How often a job was dispatched in vain; its next mark starts from there. */
  readonly #vain = new Map<string, number>()

  constructor(queues: JobQueues, parts: SenderParts, sweepMs: number, onFreed: () => void) {
    this.#queues = queues
    this.#parts = parts
    this.#sweepMs = sweepMs
    this.#onFreed = onFreed
    const sender = (queue: JobQueue) => new Sender(queues[queue], parts, (failed) => this.#unmark(failed))
    this.#senders = {
      jobs: sender('jobs'),
      'jobs-bulk': sender('jobs-bulk'),
      'jobs-slow': sender('jobs-slow'),
      'jobs-solo': sender('jobs-solo'),
    }
  }

  get size() {
    return this.#marks.size
  }

  has(jobId: string) {
    return this.#marks.has(jobId)
  }

  /** When a queue that refused messages may be tried again; in the past when none refuses. */
  get pausedUntil() {
    return Math.max(...jobQueues.map((queue) => this.#senders[queue].pausedUntil))
  }

  /** `crowd`: whether the jobs are some of many (see `isCrowd`). */
  dispatch(tenantId: string, jobs: Runnable[], now: number, crowd = false): void {
    for (const queue of jobQueues) {
      const own = jobs.filter((job) => laneOf(job, crowd) === queue)
      const messages = own.map((job) => messageOf(tenantId, job))
      for (const { job_id } of messages) this.#marks.set(job_id, this.#markFor(job_id, queue, now))
      this.#senders[queue].offer(messages)
    }
  }

  /** The job was claimed, ended, or its message turned out to be of no use: it may be dispatched again when it is due. */
  free(jobId: string, claimed: boolean): void {
    this.#marks.delete(jobId)
    if (claimed) this.#vain.delete(jobId)
  }

  /** When the next mark is to be looked at; null without marks. */
  nextSweepAt(): number | null {
    return earliest(Array.from(this.#marks.values(), ({ lookAt }) => lookAt))
  }

  /** Frees the marks that have waited too long, unless their queue is behind. */
  async sweep(now: number): Promise<void> {
    for (const queue of jobQueues) {
      const stale = this.#postponed(queue, now)
      if (stale.length === 0) continue
      const oldest = await this.#oldestWaiting(queue)
      for (const [jobId, mark] of stale) this.#giveUp(jobId, mark, oldest)
    }
    this.#onFreed()
  }

  state(): Marks {
    return Object.fromEntries(this.#marks)
  }

  /** Takes marks over from an earlier life, to be looked at by `latest`. */
  restore(marks: Marks, latest: number): void {
    for (const [jobId, mark] of Object.entries(marks))
      this.#marks.set(jobId, { ...mark, lookAt: Math.min(mark.lookAt, latest) })
  }

  #markFor(jobId: string, queue: JobQueue, now: number): Mark {
    const tries = this.#vain.get(jobId) ?? 0
    return { at: now, lookAt: now + this.#sweepMs * 2 ** Math.min(tries, MAX_DOUBLINGS), tries, queue }
  }

  /** The queue's stale marks, put off first: while the queue is asked about its backlog, the alarm must not ask again. */
  #postponed(queue: JobQueue, now: number): [string, Mark][] {
    const stale = [...this.#marks].filter(([, mark]) => mark.queue === queue && mark.lookAt <= now)
    return stale.map(([jobId, mark]) => {
      const later = { ...mark, lookAt: now + this.#sweepMs }
      this.#marks.set(jobId, later)
      return [jobId, later]
    })
  }

  #giveUp(jobId: string, mark: Mark, oldestWaiting: number | null) {
    if (this.#marks.get(jobId) !== mark) return
    const mayStillWait = oldestWaiting !== null && oldestWaiting <= mark.at + this.#parts.sendTimeoutMs
    if (mayStillWait) return
    this.#marks.delete(jobId)
    if (this.#vain.size >= MAX_VAIN) this.#vain.clear()
    this.#vain.set(jobId, mark.tries + 1)
  }

  /** Time of the oldest message in the queue; null when it is empty, or cannot be told. */
  async #oldestWaiting(queue: JobQueue): Promise<number | null> {
    try {
      const { oldestMessageTimestamp } = await within(
        this.#parts.sendTimeoutMs,
        this.#queues[queue].metrics(),
      )
      return oldestMessageTimestamp?.getTime() || null
    } catch {
      return null
    }
  }

  #unmark(failed: JobMessage[]) {
    for (const { job_id } of failed) this.#marks.delete(job_id)
    this.#onFreed()
  }
}

const messageOf = (tenantId: string, job: Runnable): JobMessage => ({
  v: MESSAGE_VERSION,
  tenant_id: tenantId,
  job_id: job.id,
  kind: job.kind,
  attempt: job.attempt + 1,
  input_ref: job.inputRef,
})
