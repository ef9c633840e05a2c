/**
 * Rows that have served their time: jobs, batches, events with their deliveries, idempotency keys. Usage stays.
 *
 * In steps of a bounded number of rows, found by primary key, so that no step scans a table; at a slow pace, unless a step left
 * more to do.
 */
import { and, asc, eq, gt, isNotNull, isNull, lt, lte, max, sql } from 'drizzle-orm'
import { dropFaults } from './batches/kept-faults.ts'
import type { LedgerContext } from './context.ts'
import { idFloor } from './ids.ts'
import { forgetMeta, readMeta, writeMeta } from './meta.ts'
import { batchChunks, batches, batchPages, deliveries, events, idempotencyKeys, jobs } from './schema.ts'
import type { Db } from './store.ts'

const DAY_MS = 86_400_000
/**
 * 90 days from the end. What was made ends 7 days later at the latest, or, as what of a batch runs singly, after twice that; its ID tells
 * when it was made.
 */
const WORK_KEPT_MS = (90 + 14) * DAY_MS
/** Events, with their deliveries. */
export const EVENTS_KEPT_MS = 30 * DAY_MS
const KEYS_KEPT_MS = DAY_MS

const STEP = 500
/** A batch has up to some hundred rows of pages and chunks. */
const BATCHES_STEP = 5
const PACE_MS = 6 * 3_600_000
const STEP_PAUSE_MS = 200

/** When the next step is due; null when there is nothing that could grow old. */
export const nextHousekeeping = (db: Db): number | null => readMeta(db, 'housekeeping')?.at ?? null

/** Does a step if one is due. */
export function keepHouse(ctx: LedgerContext): void {
  const { db, now } = ctx
  const round = readMeta(db, 'housekeeping') ?? (hasRows(db) ? begin(ctx) : null)
  if (!round || now < round.at) return
  const full = [
    dropJobs(db, now) === STEP,
    dropBatches(db, now) === BATCHES_STEP,
    dropEvents(db, now) === STEP,
  ]
  const more = full.includes(true)
  const keysAfter = dropKeys(db, now, round.keysAfter)
  const at = now + (more || keysAfter !== '' ? STEP_PAUSE_MS : PACE_MS)
  if (hasRows(db)) writeMeta(db, 'housekeeping', { at, keysAfter })
  else forgetMeta(db, 'housekeeping')
}

/** From the first rows on there will be some to drop, and outputs to look after. */
function begin({ db, now }: LedgerContext) {
  const round = { at: now + PACE_MS, keysAfter: '' }
  writeMeta(db, 'housekeeping', round)
  if (!readMeta(db, 'strayOutputs')) writeMeta(db, 'strayOutputs', { at: now + DAY_MS, after: '' })
  return round
}

/** The newest event stays for ever, so it does not count. */
const hasRows = (db: Db): boolean =>
  hasWork(db) ||
  db.select({ one: sql`1` }).from(idempotencyKeys).limit(1).get() !== undefined ||
  db.select({ one: sql`1` }).from(events).limit(1).offset(1).get() !== undefined

/** Whether any job or batch is on record. */
export const hasWork = (db: Db): boolean =>
  [jobs, batches].some((table) => db.select({ one: sql`1` }).from(table).limit(1).get() !== undefined)

/** The oldest jobs or batches whose time is over. One whose content is still on record stays, whatever its age. */
const oldWork = (db: Db, table: typeof jobs | typeof batches, floor: string, most: number): string[] =>
  db
    .select({ id: table.id })
    .from(table)
    .where(and(lt(table.id, floor), isNotNull(table.contentDeletedAt), isNull(table.dueAt)))
    .orderBy(asc(table.id))
    .limit(most)
    .all()
    .map(({ id }) => id)

/** Answers how many have gone, at most `STEP`. */
function dropJobs(db: Db, now: number): number {
  const ids = oldWork(db, jobs, idFloor('job', now - WORK_KEPT_MS), STEP)
  if (ids.length > 0) db.delete(jobs).where(among(jobs.id, ids)).run()
  return ids.length
}

/** Jobs that ran its items go by themselves. */
function dropBatches(db: Db, now: number): number {
  const old = oldWork(db, batches, idFloor('batch', now - WORK_KEPT_MS), BATCHES_STEP)
  for (const id of old) {
    db.delete(batchPages).where(eq(batchPages.batchId, id)).run()
    db.delete(batchChunks).where(eq(batchChunks.batchId, id)).run()
    dropFaults(db, id)
    db.delete(batches).where(eq(batches.id, id)).run()
  }
  return old.length
}

/** Events go in their order, each after its deliveries. */
function dropEvents(db: Db, now: number): number {
  const old = oldEvents(db, now)
  const last = old.at(-1)?.sequence
  if (last === undefined) return 0
  const dropped = dropDeliveries(db, last)
  if (dropped === STEP) return STEP
  db.delete(events).where(lte(events.sequence, last)).run()
  return old.length
}

/** Never the newest, since its number seeds the next. */
function oldEvents(db: Db, now: number) {
  const { sequence, createdAt } = events
  const newest = db
    .select({ sequence: max(sequence) })
    .from(events)
    .get()?.sequence
  const oldest = db.select({ sequence, createdAt }).from(events).orderBy(asc(sequence)).limit(STEP).all()
  return oldest.filter((event) => event.sequence !== newest && event.createdAt < now - EVENTS_KEPT_MS)
}

function dropDeliveries(db: Db, lastSequence: number): number {
  const { eventSequence, endpointId } = deliveries
  const old = db
    .select({ eventSequence, endpointId })
    .from(deliveries)
    .where(lte(eventSequence, lastSequence))
    .orderBy(asc(eventSequence), asc(endpointId))
    .limit(STEP)
    .all()
  const end = old.at(-1)
  if (end)
    db.delete(deliveries)
      .where(sql`(${eventSequence}, ${endpointId}) <= (${end.eventSequence}, ${end.endpointId})`)
      .run()
  return old.length
}

/** A key lives a day, and while the job or batch that it names has not ended. Answers where to go on; `''` at the end of the table. */
function dropKeys(db: Db, now: number, after: string): string {
  const page = keysBehind(db, after)
  const old = page.filter(({ createdAt, open }) => createdAt < now - KEYS_KEPT_MS && open === 0)
  const hashes = old.map(({ keyHash }) => keyHash)
  if (hashes.length > 0) db.delete(idempotencyKeys).where(among(idempotencyKeys.keyHash, hashes)).run()
  return page.length === STEP ? (page.at(-1)?.keyHash ?? '') : ''
}

function keysBehind(db: Db, after: string) {
  const { keyHash, createdAt, resourceId } = idempotencyKeys
  return db
    .select({
      keyHash,
      createdAt,
      open: sql<number>`exists (select 1 from ${jobs} where ${jobs.id} = ${resourceId} and ${jobs.dueAt} is not null)
        or exists (select 1 from ${batches} where ${batches.id} = ${resourceId} and ${batches.finishedAt} is null)`,
    })
    .from(idempotencyKeys)
    .where(gt(keyHash, after))
    .orderBy(asc(keyHash))
    .limit(STEP)
    .all()
}

/** `in` without the platform's limit of 100 parameters. */
const among = (column: typeof jobs.id | typeof idempotencyKeys.keyHash, values: readonly string[]) =>
  sql`${column} in (select value from json_each(${JSON.stringify(values)}))`
