/**
 * Drains one endpoint's due deliveries: as many at a time as the ledger hands out, each slot filled again as soon as it is free, until
 * nothing is due or time is up.
 */
import type { LedgerStub } from '../ledger/call.ts'
import { withFreshStub } from '../ledger/call.ts'
import type { DueDelivery } from '../ledger/deliveries.ts'
import type { RecordedAttempt } from '../ledger/delivery-records.ts'
import type { DrainReply } from '../ledger/drain-turn.ts'
import { CONCURRENT } from '../ledger/outgoing.ts'
import { deliver, type SendingParts, unsent } from '../ledger/webhooks/deliver.ts'
import type { Exchanged } from '../ledger/webhooks/exchange.ts'
import { openRecipient, type Recipient, type SealedRecipient } from '../ledger/webhooks/recipient.ts'
import { tell } from './tell.ts'

/** Attempts that end this close together are recorded together: with a quick receiver that saves most calls. */
const GATHER_MS = 3
/** How often free slots are offered while something is under way: what is due since does not wait for a receiver that hangs. */
const OFFER_MS = 500
/** Before a turn that failed is tried once more; what it carried is recorded once, whichever of them got through. */
const SECOND_TRY_MS = 1000
/** A last look-up of 3 s and attempt of 15 s still fit the 30 s that the platform gives to background work. */
const NOTHING_NEW_AFTER_MS = 8000

export interface DrainParts extends SendingParts {
  readonly sleep: (ms: number) => Promise<void>
  readonly keyEncryptionKeys: string
}

export class Drain {
  readonly #tenantId: string
  readonly #endpointId: string
  readonly #stub: () => LedgerStub
  readonly #parts: DrainParts
  readonly #endsAt: number
  readonly #underway = new Set<Promise<void>>()
  #finished: RecordedAttempt[] = []
  #opened: { sealed: string; recipient: Recipient | null } | null = null

  constructor(tenantId: string, endpointId: string, stub: () => LedgerStub, parts: DrainParts) {
    this.#tenantId = tenantId
    this.#endpointId = endpointId
    this.#stub = stub
    this.#parts = parts
    this.#endsAt = parts.now() + NOTHING_NEW_AFTER_MS
  }

  /** Resolves when the ledger knows that the drain has ended. */
  async run(): Promise<void> {
    for (;;) {
      const { recipient, deliveries, againInMs } = await this.#turn()
      if (recipient) await this.#start(recipient, deliveries)
      // What ended while the ledger was asked is still to be recorded.
      if (this.#finished.length > 0) continue
      if (this.#underway.size > 0) await this.#someEnd(againInMs ?? OFFER_MS)
      else if (againInMs !== null) await this.#parts.sleep(againInMs)
      else return
    }
  }

  /** Waits for the first to end, and for those that end with it; no longer than `ms` where a slot is free. */
  async #someEnd(ms: number): Promise<void> {
    const full = this.#underway.size >= CONCURRENT || this.#isOver()
    await Promise.race([...this.#underway, ...(full ? [] : [this.#parts.sleep(ms)])])
    if (this.#underway.size === 0 || this.#finished.length === 0) return
    await Promise.race([Promise.all(this.#underway), this.#parts.sleep(GATHER_MS)])
  }

  #isOver = () => this.#parts.now() >= this.#endsAt

  async #turn(): Promise<DrainReply> {
    const underway = this.#underway.size
    const turn = {
      endpointId: this.#endpointId,
      attempts: this.#finished.splice(0),
      slots: this.#isOver() ? 0 : CONCURRENT - underway,
      underway,
    }
    const take = () => withFreshStub(this.#stub, (ledger) => ledger.turnDeliveries(turn))
    try {
      return await take()
    } catch {
      await this.#parts.sleep(SECOND_TRY_MS)
      return take()
    }
  }

  async #start(sealed: SealedRecipient, deliveries: readonly DueDelivery[]): Promise<void> {
    const recipient = await this.#open(sealed)
    for (const delivery of deliveries) {
      const attempt = this.#attempt(recipient, delivery).finally(() => this.#underway.delete(attempt))
      this.#underway.add(attempt)
    }
  }

  /** Opened again only when something has changed. */
  async #open(recipient: SealedRecipient): Promise<Recipient | null> {
    const sealed = JSON.stringify(recipient)
    if (this.#opened?.sealed !== sealed) {
      const opened = await openRecipient(this.#parts.keyEncryptionKeys, recipient).catch(() => null)
      this.#opened = { sealed, recipient: opened }
    }
    return this.#opened.recipient
  }

  async #attempt(recipient: Recipient | null, delivery: DueDelivery): Promise<void> {
    const exchanged = await this.#exchange(recipient, delivery)
    this.#finished.push({ eventSequence: delivery.eventSequence, ...exchanged })
    tell(this.#tenantId, this.#endpointId, delivery, exchanged.attempt)
  }

  /** Without a key it is a fault of ours, on record where the customer looks: nothing is ever sent unsigned. */
  async #exchange(recipient: Recipient | null, delivery: DueDelivery): Promise<Exchanged> {
    const unsigned = () => unsent(this.#parts.now(), 'signing_key_unavailable')
    return recipient ? deliver(recipient, delivery, this.#parts).catch(unsigned) : unsigned()
  }
}
