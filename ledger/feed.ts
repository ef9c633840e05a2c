/** The feed: a tenant's events in the order that the ledger gave them, from any place on. */
import { and, asc, eq, gt, inArray, lte, max } from 'drizzle-orm'
import { eventsBefore } from './epoch.ts'
import { typesWithin } from './event-types.ts'
import { sequenceOf, timeOf } from './ids.ts'
import { done, type Outcome, refused } from './replies.ts'
import { events } from './schema.ts'
import { arg, type Db, statement } from './store.ts'

export interface FeedQuery {
  /** The number after which the page starts, from a cursor; goes before `after`. */
  readonly position: number | null
  /** The ID of the event after which it starts; null for the oldest there is. */
  readonly after: string | null
  /** Names and patterns, as in subscriptions; null for all. */
  readonly types: readonly string[] | null
  readonly limit: number
}

export interface FeedPage {
  /** Each the exact text that its webhooks carry. */
  readonly bodies: string[]
  /** The last number examined, when there may be more behind it. */
  readonly nextAfter: number | null
}

/** Numbers that one page examines at most: a rare type may give a short or empty page with a cursor. */
const EXAMINED = 5000

const selectNewest = statement((db) =>
  db
    .select({ sequence: max(events.sequence) })
    .from(events)
    .prepare(),
)
const selectOldest = statement((db) =>
  db
    .select({ sequence: events.sequence, createdAt: events.createdAt })
    .from(events)
    .orderBy(asc(events.sequence))
    .limit(1)
    .prepare(),
)
const selectNext = statement((db) =>
  db
    .select({ sequence: events.sequence })
    .from(events)
    .where(gt(events.sequence, arg('sequence')))
    .orderBy(asc(events.sequence))
    .limit(1)
    .prepare(),
)
const selectId = statement((db) =>
  db
    .select({ id: events.id })
    .from(events)
    .where(eq(events.sequence, arg('sequence')))
    .prepare(),
)

const newestNumber = (db: Db) => selectNewest(db).get()?.sequence ?? 0

/** `epoch`: the ledger's own. */
export function readFeed(db: Db, query: FeedQuery, epoch = 0): Outcome<FeedPage> {
  const start = query.position ?? startAfter(db, query.after, epoch)
  if (start === null)
    return refused('invalid-request', 'The feed has no such place.', {
      errors: [{ parameter: 'after', detail: 'Not the ID of an event.' }],
    })
  const from = (selectNext(db).get({ sequence: start })?.sequence ?? start + 1) - 1
  const found = among(db, from, from + EXAMINED, query.types, query.limit + 1)
  const page = found.slice(0, query.limit)
  const bodies = page.map(({ body }) => body)
  if (found.length > query.limit) return done({ bodies, nextAfter: page.at(-1)?.sequence ?? null })
  return done({ bodies, nextAfter: newestNumber(db) > from + EXAMINED ? from + EXAMINED : null })
}

/**
 * The number of the event of this ID; null if it is none of ours. One that retention has dropped lay before the oldest, one that a restore
 * has forgotten in an earlier epoch.
 */
function startAfter(db: Db, after: string | null, epoch: number): number | null {
  if (after === null) return 0
  const sequence = sequenceOf('evt', after)
  if (sequence === null) return null
  const event = selectId(db).get({ sequence })
  if (event) return event.id === after ? sequence : null
  const oldest = selectOldest(db).get()
  const isDropped = oldest && sequence > 0 && sequence < oldest.sequence && timeOf(after) <= oldest.createdAt
  return isDropped || (sequence > 0 && sequence <= eventsBefore(epoch)) ? sequence : null
}

/** Events with numbers above `from` and up to `to`, in order. */
const among = (db: Db, from: number, to: number, types: readonly string[] | null, limit: number) =>
  db
    .select({ sequence: events.sequence, body: events.body })
    .from(events)
    .where(
      and(
        gt(events.sequence, from),
        lte(events.sequence, to),
        types ? inArray(events.type, typesWithin(types)) : undefined,
      ),
    )
    .orderBy(asc(events.sequence))
    .limit(limit)
    .all()

/** Tells, each time that it is asked, whether an event of these types has come since it was asked last. */
export function newsOf(db: Db, types: readonly string[] | null): () => boolean {
  let seen = newestNumber(db)
  return () => {
    const from = seen
    seen = newestNumber(db)
    return seen > from && among(db, from, seen, types, 1).length > 0
  }
}
