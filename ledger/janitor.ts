/**
 * Finds what lies in R2 and no row names.
 *
 * Input and files: written before the row that refers to them, so a request that dies in between leaves an orphan. The ledger notes
 * that content is coming, and looks once its hour is more than two hours old. What is referred to then is deleted by whoever lets
 * go of it last, so each object is looked at once.
 *
 * Outputs, of jobs and of chunks of batches: a consumer that dies before settling leaves one. A deletion of the job's content takes it along; what comes after that,
 * or belongs to no job on record, is found by a daily walk through all outputs. That is one listing for each thousand of them, half
 * a cent a day for a million, and needs no row for each attempt.
 */
import { sql } from 'drizzle-orm'
import { Background } from './background.ts'
import { batchOfContent, folderOf, HOUR_MS, hourFolder, hourOf, jobOfOutput } from './content.ts'
import { doom } from './content-refs.ts'
import type { LedgerContext } from './context.ts'
import { earliest } from './earliest.ts'
import { hasWork } from './housekeeping.ts'
import { log } from './log.ts'
import { forgetMeta, readMeta, writeMeta } from './meta.ts'
import { batchChunks, batches, contentRefs, files, jobs } from './schema.ts'
import { within } from './sender.ts'
import type { Db } from './store.ts'

/** Hours that must have passed since the one in which an object was written. */
const QUIET_HOURS = 2
const DAY_MS = 86_400_000
const PAGE = 1000
const PAGE_TIMEOUT_MS = 30_000
/** Of a whole look; how far it came is noted page by page. */
const LOOK_TIMEOUT_MS = 10 * 60_000

const lookAt = (now: number) => (hourOf(now) + QUIET_HOURS + 1) * HOUR_MS

/** To be called in the transaction before large content is stored: a look for it is due once it must have been referred to. */
export function expectContent({ db, now }: LedgerContext): void {
  const known = readMeta(db, 'looseContent')
  const last = lookAt(now)
  if (known?.last === last && known.at !== null) return
  const after = known?.after ?? { in: '', file: '' }
  writeMeta(db, 'looseContent', { at: known?.at ?? last, last, after })
}

type Dispose = (ctx: LedgerContext, keys: string[]) => void

interface Walk {
  readonly prefix: string
  /** Keys up to this one are done. */
  readonly after: string
  /** Where to stop, itself not included; null for the end of the folder. */
  readonly end: string | null
  /** Deals with a page of keys, in one transaction. */
  readonly dispose: Dispose
}

export class Janitor {
  readonly #db: Db
  readonly #bucket: Pick<R2Bucket, 'list'>
  readonly #transact: (body: (ctx: LedgerContext) => void) => void
  readonly #background = new Background('content.look_failed', LOOK_TIMEOUT_MS)

  constructor(
    db: Db,
    bucket: Pick<R2Bucket, 'list'>,
    transact: (body: (ctx: LedgerContext) => void) => void,
  ) {
    this.#db = db
    this.#bucket = bucket
    this.#transact = transact
  }

  /** When the next look is due; null when nothing is expected. */
  nextAt(now: number): number | null {
    return this.#background.nextAt(earliest([this.#looseAt(), this.#straysAt()]), now)
  }

  /** Starts the looks that are due; never throws, never waits. */
  look(tenantId: string, now: number): void {
    const due = (at: number | null) => at !== null && at <= now
    const [loose, strays] = [due(this.#looseAt()), due(this.#straysAt())]
    if (loose || strays) this.#background.start(now, () => this.#run(tenantId, now, { loose, strays }))
  }

  #looseAt = () => readMeta(this.#db, 'looseContent')?.at ?? null
  #straysAt = () => readMeta(this.#db, 'strayOutputs')?.at ?? null

  async #run(tenantId: string, now: number, due: { loose: boolean; strays: boolean }): Promise<void> {
    if (due.loose) await this.#lookForLoose(tenantId, now)
    if (due.strays) await this.#lookForStrays(tenantId, now)
  }

  async #lookForLoose(tenantId: string, now: number): Promise<void> {
    for (const folder of ['in', 'file'] as const) {
      const after = readMeta(this.#db, 'looseContent')?.after[folder] ?? ''
      const end = hourFolder(tenantId, folder, hourOf(now) - QUIET_HOURS)
      const dispose: Dispose = (ctx, keys) => {
        doomIfLoose(ctx, keys)
        noteLoose(ctx.db, { [folder]: keys.at(-1) ?? after })
      }
      await this.#walk({ prefix: folderOf(tenantId, folder), after, end, dispose })
    }
    this.#transact(({ db }) => looseDone(db, now))
  }

  async #lookForStrays(tenantId: string, now: number): Promise<void> {
    for (const folder of ['batch', 'out'] as const) {
      const { after } = readMeta(this.#db, 'strayOutputs') ?? { after: '' }
      const dispose: Dispose = (ctx, keys) => {
        if (folder === 'out') doomIfStray(ctx, keys)
        else doomIfStrayOfBatch(ctx, keys)
        writeMeta(ctx.db, 'strayOutputs', { at: now, after: keys.at(-1) ?? after })
      }
      await this.#walk({ prefix: folderOf(tenantId, folder), after, end: null, dispose })
    }
    this.#transact(({ db }) => {
      if (hasWork(db)) writeMeta(db, 'strayOutputs', { at: now + DAY_MS, after: '' })
      else forgetMeta(db, 'strayOutputs')
    })
  }

  /** Page by page; each page notes how far it came, so that an eviction loses one page at most. */
  async #walk({ prefix, after, end, dispose }: Walk): Promise<void> {
    for (let startAfter = after; ; ) {
      const options = { prefix, limit: PAGE, ...(startAfter !== '' && { startAfter }) }
      const { objects, truncated } = await within(PAGE_TIMEOUT_MS, this.#bucket.list(options))
      const keys = objects.map(({ key }) => key).filter((key) => end === null || key < end)
      if (keys.length > 0) this.#transact((ctx) => dispose(ctx, keys))
      if (!truncated || keys.length < objects.length) return
      startAfter = keys.at(-1) ?? startAfter
    }
  }
}

/** Every row that refers to input holds its object in `content_refs`; asking the rows themselves would walk all of them. */
function doomIfLoose({ db, now }: LedgerContext, keys: readonly string[]): void {
  const loose = db
    .select({ ref: sql<string>`value` })
    .from(sql`json_each(${JSON.stringify(keys)})`)
    .where(
      sql`not exists (select 1 from ${contentRefs} where ${contentRefs.ref} = value)
        and value not in (select ${files.ref} from ${files})`,
    )
    .all()
  doomFound(db, loose, now)
}

/** An output is needed if its job names it, or may yet: an attempt does not live for a day. */
function doomIfStray({ db, now }: LedgerContext, keys: readonly string[]): void {
  const outputs = keys.flatMap((key) => ({ key, job: jobOfOutput(key) ?? '' }))
  const strays = db
    .select({ ref: sql<string>`value ->> 'key'` })
    .from(sql`json_each(${JSON.stringify(outputs)})`)
    .where(
      sql`not exists (select 1 from ${jobs} where ${jobs.id} = value ->> 'job'
        and (${jobs.outputRef} = value ->> 'key' or ${jobs.lastAttemptAt} > ${now - DAY_MS}))`,
    )
    .all()
  doomFound(db, strays, now)
}

/** What a chunk does not name as its results is needed as long as its batch is worked for, and a day after. */
function doomIfStrayOfBatch({ db, now }: LedgerContext, keys: readonly string[]): void {
  const found = keys.flatMap((key) => ({ key, batch: batchOfContent(key) ?? '' }))
  const strays = db
    .select({ ref: sql<string>`value ->> 'key'` })
    .from(sql`json_each(${JSON.stringify(found)})`)
    .where(
      sql`not exists (select 1 from ${batches} where ${batches.id} = value ->> 'batch'
        and (${batches.dueAt} is not null or ${batches.progressAt} > ${now - DAY_MS}))
        and not exists (select 1 from ${batchChunks} where ${batchChunks.batchId} = value ->> 'batch'
        and ${batchChunks.outputRef} = value ->> 'key')`,
    )
    .all()
  doomFound(db, strays, now)
}

function doomFound(db: Db, found: { ref: string }[], now: number): void {
  const refs = found.map(({ ref }) => ref)
  doom(db, refs, now)
  if (refs.length > 0) log('content.orphans_found', { objects: refs.length })
}

function noteLoose(db: Db, done: { in?: string; file?: string }): void {
  const note = readMeta(db, 'looseContent')
  if (note) writeMeta(db, 'looseContent', { ...note, after: { ...note.after, ...done } })
}

/** What is expected after this look gets one more. */
function looseDone(db: Db, now: number): void {
  const note = readMeta(db, 'looseContent')
  if (note) writeMeta(db, 'looseContent', { ...note, at: note.last > now ? note.last : null })
}
