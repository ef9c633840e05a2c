/** Sums over all ledgers' snapshots, as the check of the service needs them. Made by the database: no snapshot leaves it. */
import { asc, eq, gt, min, ne, sql } from 'drizzle-orm'
import { type ItemClass, itemClasses } from '../../openapi/batch-states.ts'
import type { FailureClass } from '../../openapi/job-words.ts'
import type { FiguresReading, ModelCounts } from '../alerts/reading.ts'
import { failures } from '../failure.ts'
import { OPERATORS_LEDGER } from '../operators.ts'
import type { Directory } from './open.ts'
import { deadLetters, rollUps } from './schema.ts'

/** What our credential or catalog has to do with. */
const refusals = ['permission_denied', 'model_not_found'] as const
const late = 'deadline_exceeded'
const isOurs = (one: ItemClass) => !(one in failures) || failures[one as FailureClass].deadLetter
const ours = itemClasses.filter((one) => one !== late && isOurs(one))

const at = (path: string) => sql.raw(`coalesce(work.value ->> '$.${path}', 0)`)
const sumOf = (...paths: string[]) => sql`sum(${sql.join(paths.map(at), sql` + `)})`
const inFailures = (one: string) => `failures.${one}`

const isCustomers = ne(rollUps.ledger, OPERATORS_LEDGER)

/** Models that misbehave on purpose say nothing. */
const byModel = sql`
  select work.value ->> '$.model' as model,
    ${sumOf('succeeded', 'failed', 'items.succeeded', 'items.failed', 'items.expired')} as ended,
    ${sumOf(inFailures(late), 'items.expired')} as expired,
    ${sumOf(...ours.map(inFailures))} as failed,
    ${sumOf(...refusals.map(inFailures))} as refused
  from ${rollUps}, json_each(${rollUps.figures}, '$.work') as work
  where ${isCustomers} and model not like 'test/%' group by model`

const webhooks = sql`
  select coalesce(sum(attempt.value), 0) as attempts,
    coalesce(sum(attempt.value) filter (where attempt.key <> 'delivered'), 0) as failed
  from ${rollUps}, json_each(${rollUps.figures}, '$.webhooks.attempts') as attempt
  where ${isCustomers}`

const now = (name: string) => sql.raw(`figures ->> '$.now.${name}'`)
const standing = sql`
  select min(${now('oldestWaitingAt')}) as oldestWaitingAt, min(${now('oldestUnfinishedAt')}) as oldestUnfinishedAt,
    coalesce(sum(${now('pastDeadline')}), 0) as pastDeadline,
    coalesce(sum(${now('batchesStalled')}), 0) as batchesStalled
  from ${rollUps}`

export async function sumFigures(directory: Directory): Promise<FiguresReading> {
  const [models, attempts, stands] = await Promise.all([
    directory.all<ModelCounts & { model: string }>(byModel),
    directory.get<FiguresReading['webhooks']>(webhooks),
    directory.get<Omit<FiguresReading, 'models' | 'webhooks'>>(standing),
  ])
  return {
    ...stands,
    webhooks: attempts,
    models: Object.fromEntries(models.map(({ model, ...counts }) => [model, counts])),
  }
}

/** Letters that are looked at for their age: IDs are in the order of time, but one that was written anew is younger than its ID. */
const LOOKED_AT = 100

export async function oldestOpenLetter(directory: Directory): Promise<number | null> {
  const first = directory
    .select({ createdAt: deadLetters.createdAt })
    .from(deadLetters)
    .where(eq(deadLetters.status, 'open'))
    .orderBy(asc(deadLetters.id))
    .limit(LOOKED_AT)
    .as('first')
  const row = await directory
    .select({ oldest: min(first.createdAt) })
    .from(first)
    .get()
  return row?.oldest ?? null
}

/** Of the ledgers with work open, when the one that has been silent the longest was last heard of. */
export async function longestSilent(directory: Directory): Promise<number | null> {
  const row = await directory
    .select({ since: min(rollUps.updatedAt) })
    .from(rollUps)
    .where(gt(rollUps.openJobs, 0))
    .get()
  return row?.since ?? null
}
