/** A tenant's system: it submits until it has an answer, always under the same key, repeats itself, and cancels. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../support/gateway.ts'
import type { PlannedJob } from './workload.ts'

const MOST_TRIES = 300
const PAUSE_MS = 100

interface Answer {
  readonly status: number
  readonly id: string
  readonly replayed: boolean
  readonly waitMs: number
}

export interface CustomerTally {
  refused: Record<string, number>
  broken: number
  retried: number
  /** Cancellations that were answered with 200. */
  cancelled: Set<string>
  /** What no customer may see: one key with two jobs, an answer that nobody would expect. */
  strange: string[]
}

export class Customer {
  readonly tenantId: string
  readonly caller: Caller
  readonly accepted = new Map<string, { id: string; planned: PlannedJob }>()
  readonly tally: CustomerTally = { refused: {}, broken: 0, retried: 0, cancelled: new Set(), strange: [] }

  constructor(tenantId: string, caller: Caller) {
    this.tenantId = tenantId
    this.caller = caller
  }

  /** Submits, and does everything that is planned with the job. */
  async submit(planned: PlannedJob): Promise<void> {
    const answer = await this.#insist(planned)
    if (answer.status !== 202) return this.#refused(answer.status)
    this.#keep(planned, answer)
    if (planned.repeated) this.#keep(planned, await this.#insist({ ...planned, breaksAfterMs: null }))
    if (planned.cancelAfterMs === null) return
    await sleep(planned.cancelAfterMs)
    await this.#cancel(answer.id)
  }

  /** Sends the request again under its key: it must be answered with the job that it was answered with before. */
  async replay({ planned, id }: { planned: PlannedJob; id: string }): Promise<string | null> {
    const answer = await this.#insist({ ...planned, breaksAfterMs: null })
    return answer.replayed && answer.id === id
      ? null
      : `${planned.key}: ${answer.status} ${answer.id}, not ${id}`
  }

  #keep(planned: PlannedJob, { id }: Answer): void {
    const known = this.accepted.get(planned.key)
    if (known && known.id !== id) this.tally.strange.push(`${planned.key} has both ${known.id} and ${id}`)
    this.accepted.set(planned.key, { id, planned })
  }

  #refused(status: number): void {
    this.tally.refused[status] = (this.tally.refused[status] ?? 0) + 1
    if (status !== 402) this.tally.strange.push(`a submission was answered with ${status}`)
  }

  async #insist(planned: PlannedJob): Promise<Answer> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const answer = await this.#post('/v1/jobs', planned, tries === 0 ? planned.breaksAfterMs : null)
      if (answer && answer.status < 500 && answer.status !== 429) return answer
      this.tally[answer ? 'retried' : 'broken']++
      await sleep(answer?.waitMs ?? 0)
    }
    throw new Error(`${planned.key} has no answer after ${MOST_TRIES} tries.`)
  }

  async #cancel(id: string): Promise<void> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const answer = await this.#post(`/v1/jobs/${id}/cancel`, null, null)
      if (answer?.status === 200) this.tally.cancelled.add(id)
      if (answer?.status === 200 || answer?.status === 409) return
      await sleep(answer?.waitMs ?? PAUSE_MS)
    }
    this.tally.strange.push(`${id} cannot be cancelled`)
  }

  /** Null where the connection broke. */
  async #post(
    path: string,
    planned: PlannedJob | null,
    breaksAfterMs: number | null,
  ): Promise<Answer | null> {
    const headers = {
      Authorization: this.caller.authorization,
      'Content-Type': 'application/json',
      ...(planned && { 'Idempotency-Key': planned.key }),
    }
    const signal = breaksAfterMs === null ? AbortSignal.timeout(30_000) : AbortSignal.timeout(breaksAfterMs)
    try {
      const body = JSON.stringify(planned?.body ?? {})
      const response = await fetch(new URL(path, this.caller.url), { method: 'POST', headers, body, signal })
      return await answerOf(response)
    } catch {
      return null
    }
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const { id = '' } = (await response.json()) as { id?: string }
  const retryAfter = Number(response.headers.get('Retry-After'))
  return {
    status: response.status,
    id,
    replayed: response.headers.get('Idempotency-Replayed') === 'true',
    waitMs: response.status === 429 ? retryAfter * 1000 : PAUSE_MS,
  }
}
