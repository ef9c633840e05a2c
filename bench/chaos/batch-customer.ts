/** The side of a tenant's system that sends batches. What has ended it learns from its webhooks alone. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../support/gateway.ts'
import type { PlannedBatch } from './batch-workload.ts'
import { type Answer, type Asking, insist, type Tries } from './requests.ts'

const POLL_MS = 250
/** Of a busy machine. It is only waited for so long where a batch does not end. */
const ENDS_BOUND_MS = 600_000

export interface BatchTally {
  refused: number
  readonly cancelled: Set<string>
  readonly discarded: Set<string>
  /** By the new batch's ID: which one it reruns. */
  readonly reruns: Map<string, string>
  readonly strange: string[]
}

export interface AcceptedBatch {
  readonly id: string
  readonly body: object
}

export class BatchCustomer {
  readonly caller: Caller
  /** By key. */
  readonly accepted = new Map<string, AcceptedBatch>()
  readonly tally: BatchTally = {
    refused: 0,
    cancelled: new Set(),
    discarded: new Set(),
    reruns: new Map(),
    strange: [],
  }
  readonly #tries: Tries
  readonly #hasEnded: (batchId: string) => boolean

  constructor(caller: Caller, tries: Tries, hasEnded: (batchId: string) => boolean) {
    this.caller = caller
    this.#tries = tries
    this.#hasEnded = hasEnded
  }

  /** Submits, and does everything that is planned with the batch. */
  async submit(planned: PlannedBatch): Promise<void> {
    const body = { ...planned.order, ...(await this.#itemsOf(planned)) }
    const answer = await this.#send(planned.key, body, planned.breaksAfterMs)
    if (answer.status !== 202) return this.#refused(answer.status)
    this.#keep(planned.key, body, answer)
    if (planned.repeated) this.#keep(planned.key, body, await this.#send(planned.key, body))
    if (planned.cancelAfterMs !== null) await sleep(planned.cancelAfterMs).then(() => this.#cancel(answer.id))
    if (planned.afterwards) await this.#afterwards(planned, answer.id)
  }

  /** Sends the request again under its key: it must be answered with the batch that it was answered with before. */
  async replay(key: string, { id, body }: AcceptedBatch): Promise<string | null> {
    if (this.tally.reruns.has(id)) return null
    const answer = await this.#send(key, body)
    return answer.replayed && answer.id === id ? null : `${key}: ${answer.status} ${answer.id}, not ${id}`
  }

  async #itemsOf({ key, items, badLines, lastText }: PlannedBatch): Promise<object> {
    const last = items.at(-1)
    const whole =
      lastText === null || !last
        ? items
        : [
            ...items.slice(0, -1),
            { ...last, input: { file_id: await this.#upload(key, lastText, 'text/plain') } },
          ]
    if (badLines === null) return { items: whole }
    const lines = [...whole.map((item) => JSON.stringify(item)), ...badLines]
    return { items_file_id: await this.#upload(`${key}-items`, lines.join('\n'), 'application/x-ndjson') }
  }

  async #upload(key: string, body: string, contentType: string): Promise<string> {
    const upload = { method: 'POST', path: '/v1/files', key: `${key}-file`, body, contentType } as const
    const { status, id } = await this.#insist(upload)
    if (status !== 201) this.tally.strange.push(`an upload was answered with ${status}`)
    return id
  }

  #send = (key: string, body: object, breaksAfterMs: number | null = null) =>
    this.#insist({ method: 'POST', path: '/v1/batches', key, body, breaksAfterMs })

  #insist = (asking: Asking): Promise<Answer> => insist(this.caller, asking, this.#tries)

  #keep(key: string, body: object, { id }: Answer): void {
    const known = this.accepted.get(key)
    if (known && known.id !== id) this.tally.strange.push(`${key} has both ${known.id} and ${id}`)
    this.accepted.set(key, { id, body })
  }

  #refused(status: number): void {
    if (status === 402) this.tally.refused++
    else this.tally.strange.push(`a batch was answered with ${status}`)
  }

  async #cancel(id: string): Promise<void> {
    const { status } = await this.#insist({ method: 'POST', path: `/v1/batches/${id}/cancel` })
    if (status === 200) this.tally.cancelled.add(id)
    else if (status !== 409)
      this.tally.strange.push(`the cancellation of a batch was answered with ${status}`)
  }

  async #afterwards({ key, afterwards }: PlannedBatch, id: string): Promise<void> {
    for (const until = Date.now() + ENDS_BOUND_MS; !this.#hasEnded(id); await sleep(POLL_MS))
      if (Date.now() > until) return
    if (afterwards === 'rerun') await this.#rerun(`${key}-rerun`, id)
    else await this.#discard(id)
  }

  /** 400 where nothing is incomplete, 409 and 410 where it never ran. */
  async #rerun(key: string, id: string): Promise<void> {
    const body = { mode: 'incomplete_only' }
    const answer = await this.#insist({ method: 'POST', path: `/v1/batches/${id}/rerun`, key, body })
    if (answer.status === 202) {
      this.#keep(key, body, answer)
      this.tally.reruns.set(answer.id, id)
    } else if (![400, 402, 409, 410].includes(answer.status))
      this.tally.strange.push(`a rerun was answered with ${answer.status}`)
  }

  async #discard(id: string): Promise<void> {
    const { status } = await this.#insist({ method: 'POST', path: `/v1/batches/${id}/discard` })
    if (status === 200) this.tally.discarded.add(id)
    else this.tally.strange.push(`a discard was answered with ${status}`)
  }
}
