/**
 * Which jobs are open, by kind and model, and by the second in which they were made: kept in memory by what transactions tell, and read
 * afresh from an index whenever the ledger starts. So no question about all of them has to look at each.
 */
import { isNotNull, sql } from 'drizzle-orm'
import { isItem } from './batches/item-ended.ts'
import type { JobRecord } from './jobs.ts'
import { jobs } from './schema.ts'
import { type Db, statement } from './store.ts'

export type OpenJob = Pick<JobRecord, 'kind' | 'model' | 'createdAt' | 'batchChunk'>

/** Jobs by the second, since the epoch, in which they were made. */
export type BySecond = ReadonlyMap<number, number>

export class OpenJobs {
  /** Those that run items of batches included. */
  total = 0
  /** Those that run no item, by kind and model. */
  readonly #ofWork = new Map<string, number>()
  readonly #bySecond = new Map<number, number>()

  add(job: OpenJob, by: number): void {
    this.total += by
    count(this.#bySecond, secondOf(job.createdAt), by)
    if (!isItem(job)) count(this.#ofWork, workOf(job), by)
  }

  /** By `workOf`. */
  get ofWork(): ReadonlyMap<string, number> {
    return this.#ofWork
  }

  /** When the oldest was made of all but these, to the second, in milliseconds since the epoch; null when there is none. */
  oldest(but: BySecond = new Map()): number | null {
    let oldest = Number.POSITIVE_INFINITY
    for (const [second, open] of this.#bySecond)
      if (second < oldest && open > (but.get(second) ?? 0)) oldest = second
    return Number.isFinite(oldest) ? oldest * 1000 : null
  }
}

/** One name for a kind at a model; neither has a space. */
export const workOf = ({ kind, model }: Pick<JobRecord, 'kind' | 'model'>) => `${kind} ${model}`

const secondOf = (at: number) => Math.floor(at / 1000)

function count<K>(counts: Map<K, number>, key: K, by: number): void {
  const total = (counts.get(key) ?? 0) + by
  if (total === 0) counts.delete(key)
  else counts.set(key, total)
}

const { kind, model, createdAt, batchChunk, dueAt } = jobs
const second = sql<number>`${createdAt} / 1000`
const itemOrNull = sql<number | null>`case when ${batchChunk} is not null then 0 end`
const selectOpen = statement((db) =>
  db
    .select({ kind, model, second, batchChunk: itemOrNull, n: sql<number>`count(*)` })
    .from(jobs)
    .where(isNotNull(dueAt))
    .groupBy(kind, model, second, itemOrNull)
    .prepare(),
)

/** From the partial index alone. */
export function readOpenJobs(db: Db): OpenJobs {
  const open = new OpenJobs()
  for (const { n, second: made, ...job } of selectOpen(db).all())
    open.add({ ...job, createdAt: made * 1000 }, n)
  return open
}
