/**
 * The issuers that we trust besides our own, as an isolate knows them, with their keys.
 *
 * A copy of the directory's row is good for half a minute. The row holds the keys, and when the issuer may be asked for them again, so
 * all isolates together ask it once: whoever claims the reading reads, the others go by what they have, or wait a moment for what
 * the one finds. Values only are kept, never promises, since a Worker must not wait for what another request has begun.
 */
import { BoundedCache } from '../../../ledger/bounded-cache.ts'
import {
  claimReading,
  findIssuerNamed,
  type IssuerRow,
  noteReading,
} from '../../../ledger/directory/issuers.ts'
import type { Directory } from '../../../ledger/directory/open.ts'
import { log } from '../../../ledger/log.ts'
import { outOfReach } from '../../ledgers.ts'
import { type Reach, readPublishedKeys } from './discover.ts'
import { importKeys, type VerifyingKey } from './key-set.ts'
import { afterFailure, afterReading, claimEnd, isBeingRead, isFresh, isUsable, mayRead } from './timing.ts'

const KEPT_MS = 30_000
const KEPT_ISSUERS = 1000
/** Short, so that an issuer is known soon after it was registered. */
const STRANGER_MS = 5000
/** What can be registered is spelt like this. */
const spelling = /^https?:\/\/[\x21-\x7e]{1,500}$/
const WAIT_MS = 200
const WAITS = 5

export interface Surroundings extends Reach {
  readonly directory: Directory
  readonly now: () => number
  readonly wait: (ms: number) => Promise<unknown>
  /** Sees work through that a caller who hangs up must not break off. */
  readonly finish: (work: Promise<unknown>) => void
  /** Asked before the directory is, so that guesses cost it nothing. */
  readonly mayLookUp: () => Promise<boolean>
}

/** What an isolate knows of an issuer. */
export interface Trusted {
  readonly row: IssuerRow
  readonly keys: ReadonlyMap<string, VerifyingKey>
  /** Until when the directory need not be asked whether that is still so. */
  readonly until: number
}

/** Whether somebody has read the keys, or tried to, since. */
const isSame = (before: IssuerRow, row: IssuerRow) =>
  before.keysReadAt === row.keysReadAt && before.failures === row.failures

export class TrustedIssuers {
  readonly #trusted = new BoundedCache<Trusted>(KEPT_ISSUERS)
  readonly #strangers = new BoundedCache<true>(KEPT_ISSUERS)

  /** The issuer of this name; null for one that nobody registered. */
  async find(name: string, around: Surroundings): Promise<Trusted | null | 'too many requests'> {
    const now = around.now()
    const known = this.#trusted.get(name, now)
    if (known) return known
    if (!spelling.test(name) || this.#strangers.get(name, now)) return null
    if (!this.#trusted.last(name) && !(await around.mayLookUp())) return 'too many requests'
    return this.#lookUp(name, around)
  }

  forget(name: string): void {
    this.#trusted.drop(name)
    this.#strangers.drop(name)
  }

  /** Its key of this ID; null for one that it has not. */
  async keyOf(
    trusted: Trusted,
    kid: string,
    around: Surroundings,
  ): Promise<VerifyingKey | null | 'out of reach'> {
    const isGood = isFresh(trusted.row, around.now()) && trusted.keys.has(kid)
    const known = isGood ? trusted : await this.#renewed(trusted, kid, around)
    if (!known) return null
    const now = around.now()
    if (!isUsable(known.row, now)) return 'out of reach'
    const isInDoubt = known.row.failures > 0 || isBeingRead(known.row, now)
    return known.keys.get(kid) ?? (isInDoubt ? 'out of reach' : null)
  }

  async #lookUp(name: string, around: Surroundings): Promise<Trusted | null> {
    const row = await findIssuerNamed(around.directory, name).catch(outOfReach)
    if (row) return this.#keep(row, around.now())
    this.#strangers.put(name, true, around.now() + STRANGER_MS)
    return null
  }

  /** Keys are imported once for as long as they are the same; of two rows that came at once the newer one stays. */
  async #keep(row: IssuerRow, now: number): Promise<Trusted> {
    const last = this.#trusted.last(row.issuer)
    const same = last?.row.id === row.id ? last : undefined
    if (same && (same.row.keysReadAt ?? 0) > (row.keysReadAt ?? 0)) return same
    const isUnchanged = same && JSON.stringify(same.row.keys) === JSON.stringify(row.keys)
    const keys = isUnchanged ? same.keys : await importKeys(row.keys)
    return this.#put({ row, keys, until: now + KEPT_MS })
  }

  #put(trusted: Trusted): Trusted {
    this.#trusted.put(trusted.row.issuer, trusted, trusted.until)
    return trusted
  }

  /** What there is to go by now that the keys are old, or the one that is wanted is not among them; null if it is trusted no more. */
  async #renewed(trusted: Trusted, kid: string, around: Surroundings): Promise<Trusted | null> {
    const { row } = trusted
    const now = around.now()
    const isWaitedFor = !isUsable(row, now) || !trusted.keys.has(kid)
    if (!isBeingRead(row, now)) {
      if (!mayRead(row, now)) return trusted
      const claimed = { ...row, claimedUntil: claimEnd(now) }
      this.#put({ ...trusted, row: claimed })
      if (await claimReading(around.directory, row.id, now, claimed.claimedUntil).catch(outOfReach))
        return this.#read(trusted, isFresh(row, now) ? 'unknown key' : 'due', around)
    }
    return isWaitedFor ? this.#asOthersFind(row, around) : trusted
  }

  async #read({ row }: Trusted, why: 'due' | 'unknown key', around: Surroundings): Promise<Trusted> {
    const reading = this.#readAndNote(row, why, around)
    around.finish(reading.catch(() => undefined))
    return reading
  }

  async #readAndNote(row: IssuerRow, why: 'due' | 'unknown key', around: Surroundings): Promise<Trusted> {
    const published = await readPublishedKeys(row.issuer, around)
    const now = around.now()
    const change = published.ok
      ? { keys: published.keys, ...afterReading(why, now) }
      : afterFailure(row.failures, published.error, now)
    if (!published.ok) log('issuer.keys_unread', { issuer_id: row.id, error: published.error })
    await noteReading(around.directory, row.id, change).catch(outOfReach)
    return this.#keep({ ...row, ...change }, now)
  }

  /** Waits a moment for another who reads; not for an issuer that failed the last time, which is likely to take all the time it gets. */
  async #asOthersFind(before: IssuerRow, around: Surroundings): Promise<Trusted | null> {
    let trusted = await this.#lookUp(before.issuer, around)
    for (let waited = 0; before.failures === 0 && waited < WAITS; waited++) {
      if (!trusted || !isSame(before, trusted.row)) break
      await around.wait(WAIT_MS)
      trusted = await this.#lookUp(before.issuer, around)
    }
    return trusted
  }
}
