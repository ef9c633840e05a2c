/** Alerts on record, and as they are shown. */
import { and, desc, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import { type AlertStatus, conditionUnits } from '../../openapi/alert-words.ts'
import type { Alert } from '../../openapi/alerts.ts'
import { alerts } from '../schema.ts'
import type { Db } from '../store.ts'
import { nullableTimestamp, timestamp } from '../wire.ts'

export type AlertRow = typeof alerts.$inferSelect

export const openAlerts = (db: Db): AlertRow[] =>
  db.select().from(alerts).where(isNull(alerts.resolvedAt)).all()

/** The one place that changes an alert. */
export const changeAlert = (db: Db, id: string, change: Partial<AlertRow>): void => {
  db.update(alerts).set(change).where(eq(alerts.id, id)).run()
}

/** Newest first; `limit + 1` rows tell the caller whether there are more. */
export const listAlerts = (
  db: Db,
  status: AlertStatus | null,
  after: string | null,
  limit: number,
): AlertRow[] =>
  db
    .select()
    .from(alerts)
    .where(
      and(
        after === null ? undefined : lt(alerts.id, after),
        status === 'open' ? isNull(alerts.resolvedAt) : undefined,
        status === 'resolved' ? isNotNull(alerts.resolvedAt) : undefined,
      ),
    )
    .orderBy(desc(alerts.id))
    .limit(limit + 1)
    .all()

/** The runbook has a heading for each condition. */
export const alertView = (row: AlertRow): Alert => ({
  id: row.id,
  object: 'alert',
  condition: row.condition,
  subject: row.subject === '' ? null : row.subject,
  status: row.resolvedAt === null ? 'open' : 'resolved',
  value: row.value,
  threshold: row.threshold,
  unit: conditionUnits[row.condition],
  opened_at: timestamp(row.openedAt),
  last_seen_at: timestamp(row.lastSeenAt),
  resolved_at: nullableTimestamp(row.resolvedAt),
  runbook: `docs/runbook.md#${row.condition}`,
})
