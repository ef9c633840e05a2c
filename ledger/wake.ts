/** The ledger's one alarm. It may fire too early, which costs a look, but never too late. */

/** An alarm set to this very moment from inside the alarm can be lost. */
const SOONEST_MS = 10

export class Wake {
  readonly #storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'deleteAlarm'>
  #at: number | null = null
  /** The earliest deadline of an open job, as far as known; walking all of them is dear, so it is kept. */
  #deadline: number | null = null

  constructor(storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'deleteAlarm'>) {
    this.#storage = storage
  }

  async load(): Promise<void> {
    this.#at = await this.#storage.getAlarm()
  }

  get isSet() {
    return this.#at !== null
  }

  /** Makes sure that the alarm fires at `at` or earlier. */
  by(at: number): void {
    const soonest = Math.max(at, Date.now() + SOONEST_MS)
    if (this.#at !== null && this.#at <= soonest) return
    this.#at = soonest
    void this.#storage.setAlarm(this.#at)
  }

  /** A job with this deadline is open now. */
  deadline(at: number): void {
    this.#deadline = Math.min(this.#deadline ?? at, at)
    this.by(at)
  }

  /** The earliest deadline; walked afresh by `read` when the known one has passed. */
  nextDeadline(now: number, read: () => number | null): number | null {
    if (this.#deadline === null || this.#deadline <= now) this.#deadline = read()
    return this.#deadline
  }

  /** The alarm is firing, so none is set. */
  fired(): void {
    this.#at = null
  }

  /** Sets the alarm to exactly this; null for none. */
  async only(at: number | null): Promise<void> {
    if (at === null) return
    this.#at = Math.max(at, Date.now() + SOONEST_MS)
    await this.#storage.setAlarm(this.#at)
  }
}
