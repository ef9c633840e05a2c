/**
 * The snapshots of all ledgers, added up in the directory, so that what travels grows with kinds, models and classes and not with tenants.
 * A statement reads the rows of `PAGE` ledgers, each whole, and takes about 0.1 s of a database that does one thing at a time: nobody
 * waits longer for a scrape, however many tenants there are. It reads each row once, and needs no index but the key.
 */
import { z } from '@hono/zod-openapi'
import { and, desc, gt, gte, lt, min, sql } from 'drizzle-orm'
import { BURIED } from '../buried-figures.ts'
import type { Directory } from './open.ts'
import { rollUps } from './schema.ts'

const PAGE = 500

/** One of the numbers in `Figures`, over all ledgers. */
const Sum = z.object({
  /** Of the work that it is a figure of; null for the others. */
  kind: z.string().nullable(),
  model: z.string().nullable(),
  /** Where it stands: `$.queued.buckets` and `3`, in its entry of `work`, in `now`, or in `webhooks`. */
  path: z.string(),
  key: z.union([z.string(), z.int()]).transform(String),
  total: z.int(),
  least: z.int(),
})
export type FigureSum = z.infer<typeof Sum>

const Sums = z.array(Sum)

/** How often all are read again because a deletion came between; under more deletions than that a ledger may count twice, or not at all. */
const MOST_READS = 5

/**
 * Every number of every ledger counts once: a ledger that writes a snapshot meanwhile is read before or after, and where one is deleted,
 * which moves its figures under another name, all are read anew.
 */
export async function figureSums(directory: Directory): Promise<FigureSum[]> {
  for (let reads = 1; ; reads++) {
    const before = await countBuried(directory)
    const { sums, pages } = await readAll(directory)
    if (pages === 1 || reads === MOST_READS || (await countBuried(directory)) === before) return sums
  }
}

async function readAll(directory: Directory): Promise<{ sums: FigureSum[]; pages: number }> {
  const sums = new Map<string, FigureSum>()
  let pages = 0
  for (let after: string | null = ''; after !== null; pages++) {
    const last = await endOfPage(directory, after)
    for (const row of Sums.parse(await directory.all(sumsBetween(after, last)))) addTo(sums, row)
    after = last
  }
  return { sums: [...sums.values()], pages }
}

/** Of a tenant of that name there are as many before as after. */
const countBuried = (directory: Directory): Promise<number> =>
  directory.$count(rollUps, and(gte(rollUps.ledger, BURIED), lt(rollUps.ledger, `${BURIED}~`)))

/** The last ledger of a full page; null on the last one. */
async function endOfPage(directory: Directory, after: string): Promise<string | null> {
  const { ledger } = rollUps
  const behind = directory.select({ ledger }).from(rollUps).where(gt(ledger, after)).orderBy(ledger)
  return (
    (
      await behind
        .limit(1)
        .offset(PAGE - 1)
        .get()
    )?.ledger ?? null
  )
}

function addTo(sums: Map<string, FigureSum>, row: FigureSum): void {
  const place = [row.kind, row.model, row.path, row.key].join('\n')
  const so = sums.get(place)
  const both = so && { ...so, total: so.total + row.total, least: Math.min(so.least, row.least) }
  sums.set(place, both ?? row)
}

/** The limit in the middle keeps SQLite from finding out kind and model anew for each number. */
const sumsBetween = (after: string, last: string | null) => sql`
  with page as (
    select figures from roll_ups where ledger > ${after} ${last === null ? sql`` : sql`and ledger <= ${last}`}),
  parts as (
    select entry.value ->> 'kind' as kind, entry.value ->> 'model' as model, entry.value as part
      from page, json_each(figures, '$.work') entry
    union all select null, null, figures -> '$.now' from page
    union all select null, null, figures -> '$.webhooks' from page
    limit -1)
  select kind, model, path, key, sum(atom) as total, min(atom) as least
    from parts, json_tree(part) where type = 'integer' group by kind, model, path, key`

/** When the ledger with open work that has been silent the longest last told of itself; null when none has any. */
export async function oldestSnapshotAt(directory: Directory): Promise<number | null> {
  const [row] = await directory
    .select({ at: min(rollUps.updatedAt) })
    .from(rollUps)
    .where(gt(rollUps.openJobs, 0))
  return row?.at ?? null
}

export interface Backlog {
  readonly tenantId: string
  readonly jobs: number
}

/** The tenants with most open work, at most so many, the largest first. */
export async function largestBacklogs(directory: Directory, limit: number): Promise<Backlog[]> {
  const tenantId = sql<string>`substr(${rollUps.ledger}, 1, instr(${rollUps.ledger}, ':') - 1)`
  const jobs = sql<number>`sum(${rollUps.openJobs})`
  return directory
    .select({ tenantId, jobs })
    .from(rollUps)
    .where(gt(rollUps.openJobs, 0))
    .groupBy(tenantId)
    .orderBy(desc(jobs), tenantId)
    .limit(limit)
}
