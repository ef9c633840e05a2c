/**
 * How a ledger ends: step by step, by its own alarm, once its tenant is being deleted. From the first moment on it is to everybody as if it
 * had never been provisioned.
 *
 *   begun ──grace──▶ content, directory, own tables deleted ──quiet──▶ content once more, the ID let go, nothing left
 *
 * It waits first because what attempts that are out write would come after the deletion, and once more because one that was slower still
 * may. The note that says how far it is lies beside the tables and outlives them. Each step may be done again at any time, and asks first
 * whether the directory still says that this tenant is being deleted: nothing is deleted at anybody else's word.
 */
import { z } from '@hono/zod-openapi'
import { Background } from './background.ts'
import { tenantFolder } from './content.ts'
import { buryFigures, type Departed, eraseRows, isBeingDeleted, letGo } from './directory/deletion.ts'
import { livesAs } from './directory/living.ts'
import { openDirectory } from './directory/open.ts'
import type { Snapshot } from './directory/roll-ups.ts'
import { partsOf } from './directory/tenants.ts'
import { log } from './log.ts'
import { removeObjects } from './removal.ts'
import type { DeletionTimes } from './settings.ts'

const NOTE = 'ending'
const Note = z.object({
  since: z.number(),
  /** What the ledger's figures are called in the directory from now on. */
  figuresName: z.string(),
  /** Nothing but this note is left of the ledger. */
  emptied: z.boolean(),
})
type Note = z.infer<typeof Note>

/** Of one step; the next goes on where it broke off. */
const STEP_TIMEOUT_MS = 10 * 60_000

export interface EndingParts {
  /** Name of the object. */
  readonly ledger: string
  readonly storage: Pick<DurableObjectStorage, 'kv' | 'deleteAll' | 'setAlarm' | 'sync'>
  readonly bucket: Pick<R2Bucket, 'list' | 'delete'>
  readonly database: D1Database
  readonly times: DeletionTimes
  readonly hasTables: () => boolean
  /** Of a ledger that has tables; null where it was never told how its tenant stands. */
  readonly lastSnapshot: (now: number) => Snapshot | null
  /** Ends the object, with all that it holds in memory. */
  readonly abort: (why: string) => void
  readonly newName: () => string
}

export class Ending {
  readonly #parts: EndingParts
  readonly #departed: Departed
  readonly #background = new Background('tenant.deletion_failed', STEP_TIMEOUT_MS)
  #note: Note | null

  constructor(parts: EndingParts) {
    this.#parts = parts
    this.#departed = partsOf(parts.ledger)
    const kept = parts.storage.kv.get(NOTE)
    this.#note = kept === undefined ? null : Note.parse(kept)
  }

  get hasBegun() {
    return this.#note !== null
  }

  /** Whether there is a tenant for it: a ledger without tables asks, since it may have been deleted before it was told of something older. */
  async mayLive(): Promise<boolean> {
    const { database, ledger, hasTables } = this.#parts
    if (this.hasBegun) return false
    return hasTables() || ((await livesAs(openDirectory(database), ledger)) && !this.hasBegun)
  }

  /** Safe to repeat. */
  begin(now: number): void {
    if (this.#note) return
    this.#keep({ since: now, figuresName: this.#parts.newName(), emptied: false })
    log('tenant.deletion_begun', { tenant_id: this.#departed.tenantId })
  }

  /** Starts the step that is due; never throws, never waits. */
  advance(now: number): void {
    const note = this.#note
    if (note && this.#dueAt(note) <= now) this.#background.start(now, () => this.#step(note, now))
  }

  /** When to look again; null when there is nothing to end. */
  nextAt(now: number): number | null {
    return this.#note && this.#background.nextAt(this.#dueAt(this.#note), now)
  }

  #dueAt({ since, emptied }: Note) {
    const { graceMs, quietMs } = this.#parts.times
    return since + (emptied ? quietMs : graceMs)
  }

  async #step(note: Note, now: number): Promise<void> {
    const { bucket, database, hasTables, lastSnapshot } = this.#parts
    const directory = openDirectory(database)
    if (!(await isBeingDeleted(directory, this.#departed)))
      return hasTables() ? this.#callOff() : this.#leave()
    await removeObjects(bucket, [tenantFolder(this.#departed.tenantId)])
    const last = hasTables() ? lastSnapshot(now) : null
    if (last) await buryFigures(directory, this.#departed, last, note.figuresName)
    await eraseRows(directory, this.#departed)
    if (!note.emptied) return this.#empty(note)
    await letGo(directory, this.#departed, now)
    return this.#leave()
  }

  /** Both in one turn, which the platform commits as one. The object starts afresh, since its memory is of tables that are gone. */
  async #empty(note: Note): Promise<void> {
    const { storage, abort } = this.#parts
    const deleted = storage.deleteAll()
    this.#keep({ ...note, emptied: true })
    const alarm = storage.setAlarm(this.#dueAt({ ...note, emptied: true }))
    await Promise.all([deleted, alarm])
    await storage.sync()
    abort('The ledger has been emptied.')
  }

  /** The directory says that the tenant lives, as after a restore of it: so does the ledger, as before. */
  async #callOff(): Promise<void> {
    const { storage, abort } = this.#parts
    storage.kv.delete(NOTE)
    await storage.sync()
    log('tenant.deletion_called_off', { tenant_id: this.#departed.tenantId })
    abort('The tenant is not being deleted.')
  }

  /** The last of the ledger. */
  async #leave(): Promise<void> {
    const { storage, abort } = this.#parts
    await storage.deleteAll()
    this.#note = null
    await storage.sync()
    log('tenant.deleted', { tenant_id: this.#departed.tenantId })
    abort('The tenant has been deleted.')
  }

  #keep(note: Note): void {
    this.#parts.storage.kv.put(NOTE, note)
    this.#note = note
  }
}
