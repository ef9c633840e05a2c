/** Sending again at the owner's word, whatever became of it before: one mechanism for a retry of one and a replay of thousands. */
import { sql } from 'drizzle-orm'
import type { LedgerContext } from './context.ts'
import { dueNow } from './due.ts'
import { endPause } from './endpoint-standing.ts'
import { mintSequencedId } from './ids.ts'
import type { Subscription } from './subscriptions.ts'

/**
 * Makes the deliveries of these events (their numbers) to the endpoint due now; one that there was none of is made. In one statement,
 * however many there are. A pause of the endpoint ends: its owner may know better.
 */
export function makeDue(ctx: LedgerContext, endpoint: Subscription, eventSequences: number[]): void {
  const { db, now, identity, randomBytes } = ctx
  const { id, ordered } = endpoint
  const rows = eventSequences.map((sequence) => [
    sequence,
    mintSequencedId('dlv', identity.shard, now, sequence, randomBytes),
  ])
  const { status, dueAt, tries } = dueNow(now)
  const orderedSubject = ordered ? sql`subject_id` : sql`null`
  db.run(sql`
    insert into deliveries (event_sequence, endpoint_id, id, status, due_at, tries, ordered_subject, attempts)
    select sequence, ${id}, row.value ->> 1, ${status}, ${dueAt}, ${tries}, ${orderedSubject}, '[]'
    from json_each(${JSON.stringify(rows)}) row cross join events on events.sequence = row.value ->> 0 where true
    on conflict (event_sequence, endpoint_id) do update set
      status = excluded.status, due_at = excluded.due_at, tries = excluded.tries, ordered_subject = excluded.ordered_subject`)
  endPause(ctx, endpoint)
}
