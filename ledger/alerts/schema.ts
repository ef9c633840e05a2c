/** The table of alerts, which only the operators' ledger fills. */
import { sql } from 'drizzle-orm'
import { integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { ConditionName } from '../../openapi/alert-words.ts'

export const alerts = sqliteTable(
  'alerts',
  {
    id: text().primaryKey(),
    condition: text().$type<ConditionName>().notNull(),
    /** `''` where it is about all of the service. */
    subject: text().notNull(),
    value: real().notNull(),
    threshold: real().notNull(),
    openedAt: integer().notNull(),
    lastSeenAt: integer().notNull(),
    /** Of the first check that did not find it any more; null while it holds. */
    absentSince: integer(),
    /** When operators were last told of it. */
    toldAt: integer().notNull(),
    resolvedAt: integer(),
    /** Number of its last event. */
    sequence: integer().notNull(),
  },
  (alert) => [
    /** A condition is alarmed of once, however many checks find it. */
    uniqueIndex('alerts_open').on(alert.condition, alert.subject).where(sql`${alert.resolvedAt} is null`),
  ],
)
