/**
 * What a ledger does by itself, in rounds: right after a turn in which something may have changed, and when the alarm fires, which stands
 * behind all of it. A round releases, notifies and wakes. What it starts is not waited for, and what fails is looked at again.
 */
import { workedBatches } from './batches/rows.ts'
import { nextDeliveries } from './deliveries.ts'
import { earliest } from './earliest.ts'
import type { Life } from './life.ts'
import { errorName, log } from './log.ts'
import type { LedgerParts } from './parts.ts'
import { nextDeadline, nextRetry } from './sweep.ts'
import { nextSweeps, sweepAll } from './sweeps.ts'

/** Between two rounds, so that a burst of calls shares one. */
const BUSY_PAUSE_MS = 10
/** After a fault in the alarm, how long until it tries again. */
const FAULT_PAUSE_MS = 1000

export class Rounds {
  readonly #parts: LedgerParts
  #isComing = false
  #lastAt = 0

  constructor(parts: LedgerParts) {
    this.#parts = parts
  }

  /** Sets the alarm if something is due and none is set. */
  resume(now: number): void {
    const { wake } = this.#parts
    if (!wake.isSet && this.#nextAt(now) !== null) wake.by(now + FAULT_PAUSE_MS)
  }

  /** Something may have changed: a round follows right after this turn, or with a burst of others, and the alarm stands behind it. */
  touch(): void {
    const { desk, wake, settings } = this.#parts
    if (!desk.life) return
    const now = Date.now()
    wake.by(now + settings.sweepMs)
    if (this.#isComing) return
    this.#isComing = true
    setTimeout(() => this.#round(), Math.max(0, this.#lastAt + BUSY_PAUSE_MS - now))
  }

  /** SQL first; what goes to queues and directory is started and not awaited; last, the alarm is set afresh. */
  async alarm(): Promise<void> {
    const { wake } = this.#parts
    wake.fired()
    await wake.only(this.#catchUp())
  }

  /** Answers when to look again; null when nothing is open. */
  #catchUp(): number | null {
    const { ending, desk } = this.#parts
    try {
      ending.advance(Date.now())
      if (desk.life) this.#sweep(desk.life, Date.now())
      return this.#nextAt(Date.now())
    } catch (error) {
      log('ledger.alarm_failed', { error: errorName(error) })
      return Date.now() + FAULT_PAUSE_MS
    }
  }

  #sweep(life: Life, now: number): void {
    const { desk, releaser, upkeep } = this.#parts
    desk.transact(life, now, (ctx) => {
      sweepAll(ctx)
      releaser.keep()
    })
    if ((life.webhooks.keepAt ?? now) <= now) life.webhooks.keep()
    releaser.sweep(now)
    upkeep.sweep(life, now)
    upkeep.look(life, now)
    this.#round()
  }

  /** Catches everything: it runs outside of any call, and the alarm follows up. */
  #round(): void {
    const { desk, waiters } = this.#parts
    this.#isComing = false
    waiters.wake()
    if (!desk.life) return
    try {
      this.#lastAt = Date.now()
      this.#goOn(desk.life, this.#lastAt)
    } catch (error) {
      log('ledger.tick_failed', { error: errorName(error) })
    }
  }

  #goOn(life: Life, now: number): void {
    const { db, wake, listener, releaser, carrier, upkeep } = this.#parts
    listener.listen(now)
    this.#letOut(life, now)
    this.#remind(life, now)
    carrier.carry()
    upkeep.remove(now)
    const due = [nextRetry(db, now), releaser.nextPauseEnd(now), upkeep.nextExpiry(), life.webhooks.keepAt]
    for (const at of due) if (at !== null) wake.by(at)
  }

  /** Jobs to the queues, and word of what webhooks are owed, as far as the tenant's standing lets anything out. */
  #letOut(life: Life, now: number): void {
    const { db, desk, wake, listener, releaser, notifier, outgoing } = this.#parts
    if (!desk.sends || !listener.knowsStanding(now)) return
    releaser.release(life, now)
    const owed = nextDeliveries(db, outgoing, now)
    notifier.notify(life.identity.tenantId, owed, now)
    for (const one of owed) wake.by(notifier.wakeAt(one))
  }

  /** Batches of a tenant that nothing leaves for are polled and collected like its running jobs; the ledger says that nothing new is sent. */
  #remind(life: Life, now: number): void {
    const { db, wake, waker } = this.#parts
    const batches = workedBatches(db)
    waker.remind(life.identity.tenantId, batches, now)
    for (const batch of batches) wake.by(waker.wakeAt(batch))
  }

  /** The earliest moment at which anything is due, read afresh; null when nothing is open. */
  #nextAt(now: number): number | null {
    const { db, desk, wake, outgoing, releaser, notifier, waker, carrier, upkeep, ending } = this.#parts
    const { life } = desk
    if (!life) return ending.nextAt(now)
    return earliest([
      ...nextSweeps(db, now),
      wake.nextDeadline(now, () => nextDeadline(db)),
      releaser.nextAt(life, now),
      carrier.nextAt(now),
      life.webhooks.keepAt,
      upkeep.nextAt(now),
      ...workedBatches(db).map(waker.wakeAt),
      ...(desk.sends ? nextDeliveries(db, outgoing, now).map(notifier.wakeAt) : []),
    ])
  }
}
