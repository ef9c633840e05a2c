/** A tenant's system: it submits until it has an answer, always under the same key, repeats itself, cancels and deletes. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../support/gateway.ts'
import { BatchCustomer } from './batch-customer.ts'
import { type Answer, type Asking, insist, type Tries } from './requests.ts'
import type { PlannedJob } from './workload.ts'

export interface CustomerTally extends Tries {
  refused: Record<string, number>
  uploaded: number
  /** Cancellations that were answered with 200. */
  cancelled: Set<string>
  deleted: Set<string>
  /** What no customer may see: one key with two jobs, an answer that nobody would expect. */
  strange: string[]
}

export interface AcceptedJob {
  readonly id: string
  /** As it was sent. */
  readonly body: object
  readonly planned: PlannedJob
}

/** Removes the object of a file behind its tenant's back. */
export type Thief = (fileId: string) => Promise<void>

export class Customer {
  readonly tenantId: string
  readonly caller: Caller
  /** By key. */
  readonly accepted = new Map<string, AcceptedJob>()
  readonly tally: CustomerTally = {
    refused: {},
    broken: 0,
    retried: 0,
    uploaded: 0,
    cancelled: new Set(),
    deleted: new Set(),
    strange: [],
  }
  readonly batches: BatchCustomer
  readonly #steal: Thief

  constructor(tenantId: string, caller: Caller, steal: Thief, hasEnded: (batchId: string) => boolean) {
    this.tenantId = tenantId
    this.caller = caller
    this.batches = new BatchCustomer(caller, this.tally, hasEnded)
    this.#steal = steal
  }

  /** Submits, and does everything that is planned with the job. */
  async submit(planned: PlannedJob): Promise<void> {
    const body = planned.file ? { ...planned.body, input: await this.#upload(planned) } : planned.body
    const answer = await this.#submit(planned, body, planned.breaksAfterMs)
    if (answer.status !== 202) return this.#refused(answer.status)
    this.#keep(planned, body, answer)
    if (planned.repeated) this.#keep(planned, body, await this.#submit(planned, body, null))
    const { cancelAfterMs, deleteAfterMs } = planned
    await Promise.all([
      cancelAfterMs === null || sleep(cancelAfterMs).then(() => this.#cancel(answer.id)),
      deleteAfterMs === null || sleep(deleteAfterMs).then(() => this.#delete(answer.id)),
    ])
  }

  /** Sends the request again under its key: it must be answered with the job that it was answered with before. */
  async replay({ planned, body, id }: AcceptedJob): Promise<string | null> {
    const answer = await this.#submit(planned, body, null)
    return answer.replayed && answer.id === id
      ? null
      : `${planned.key}: ${answer.status} ${answer.id}, not ${id}`
  }

  #submit = ({ key }: PlannedJob, body: object, breaksAfterMs: number | null) =>
    this.#insist({ method: 'POST', path: '/v1/jobs', key, body, breaksAfterMs })

  async #upload({ key, file, breaksAfterMs }: PlannedJob): Promise<{ file_id: string }> {
    const upload = { path: '/v1/files', key: `${key}-file`, body: file?.text ?? '', breaksAfterMs }
    const { status, id } = await this.#insist({ method: 'POST', ...upload })
    if (status === 201) this.tally.uploaded++
    else this.tally.strange.push(`an upload was answered with ${status}`)
    if (file?.loses) await this.#steal(id)
    return { file_id: id }
  }

  #keep(planned: PlannedJob, body: object, { id }: Answer): void {
    const known = this.accepted.get(planned.key)
    if (known && known.id !== id) this.tally.strange.push(`${planned.key} has both ${known.id} and ${id}`)
    this.accepted.set(planned.key, { id, body, planned })
  }

  #refused(status: number): void {
    this.tally.refused[status] = (this.tally.refused[status] ?? 0) + 1
    if (status !== 402) this.tally.strange.push(`a submission was answered with ${status}`)
  }

  #insist = (asking: Asking): Promise<Answer> => insist(this.caller, asking, this.tally)

  async #cancel(id: string): Promise<void> {
    const { status } = await this.#insist({ method: 'POST', path: `/v1/jobs/${id}/cancel`, body: {} })
    if (status === 200) this.tally.cancelled.add(id)
    else if (status !== 409) this.tally.strange.push(`a cancellation was answered with ${status}`)
  }

  async #delete(id: string): Promise<void> {
    const { status } = await this.#insist({ method: 'DELETE', path: `/v1/jobs/${id}` })
    if (status === 204) this.tally.deleted.add(id)
    else this.tally.strange.push(`a deletion was answered with ${status}`)
  }
}
