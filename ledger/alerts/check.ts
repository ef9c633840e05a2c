/**
 * A check of the service, in one transaction of the operators' ledger: alerts are opened, refreshed and resolved with the events that
 * tell of it, so a check that runs twice, or beside another, tells nothing twice.
 *
 * An alert is told when it is opened, again once in every so often while it lasts, and when it is resolved: the condition has to be
 * absent for some time first, so that one which comes and goes is one alert.
 */
import { and, lt } from 'drizzle-orm'
import type { AlertEventType } from '../../openapi/alert-words.ts'
import type { LedgerContext } from '../context.ts'
import { append } from '../events.ts'
import { idFloor, mintId } from '../ids.ts'
import { readMeta, writeMeta } from '../meta.ts'
import { alerts } from '../schema.ts'
import { type Condition, judgeConditions } from './judge.ts'
import type { Reading } from './reading.ts'
import { type AlertRow, alertView, changeAlert, openAlerts } from './rows.ts'
import type { Thresholds } from './thresholds.ts'
import { baseline, growth, keptSamples } from './window.ts'

/** Resolved alerts, from when they were opened. */
const KEPT_MS = 90 * 86_400_000

/** How many alerts. */
export interface Checked {
  readonly opened: number
  readonly resolved: number
  readonly open: number
}

export function checkService(ctx: LedgerContext, reading: Reading, thresholds: Thresholds): Checked {
  const { found, unknown } = judgeConditions(reading, grownIn(ctx, reading, thresholds), thresholds, ctx.now)
  const before = new Map(openAlerts(ctx.db).map((alert) => [keyOf(alert), alert]))
  const present = new Set(found.map(keyOf))
  const absent = [...before.values()].filter(
    (alert) => !present.has(keyOf(alert)) && !unknown.includes(alert.condition),
  )
  let opened = 0
  for (const condition of found) {
    const alert = before.get(keyOf(condition))
    if (alert) refresh(ctx, alert, condition, thresholds)
    else opened += open(ctx, condition)
  }
  const resolved = absent.filter((alert) => fade(ctx, alert, thresholds)).length
  dropOld(ctx)
  return { opened, resolved, open: before.size + opened - resolved }
}

const keyOf = ({ condition, subject }: { condition: string; subject: string | null }) =>
  `${condition} ${subject ?? ''}`

/** What has come within the window; the counters are kept for checks to come. */
function grownIn({ db, now }: LedgerContext, { figures }: Reading, { window_seconds }: Thresholds) {
  if (figures === null) return null
  const windowMs = window_seconds * 1000
  const samples = readMeta(db, 'alertSamples') ?? []
  const { models, webhooks } = figures
  const kept = keptSamples(samples, { models, webhooks }, now, windowMs)
  if (kept !== samples) writeMeta(db, 'alertSamples', [...kept])
  const base = baseline(samples, now, windowMs)
  return base ? growth(base.counters, figures) : null
}

function open(ctx: LedgerContext, { condition, subject, value, threshold }: Condition): number {
  const { db, now, identity, randomBytes } = ctx
  const row: AlertRow = {
    id: mintId('alert', identity.shard, now, randomBytes),
    condition,
    subject: subject ?? '',
    value,
    threshold,
    openedAt: now,
    lastSeenAt: now,
    absentSince: null,
    toldAt: now,
    resolvedAt: null,
    sequence: 1,
  }
  db.insert(alerts).values(row).run()
  tell(ctx, row, 'alert.opened')
  return 1
}

function refresh(
  ctx: LedgerContext,
  alert: AlertRow,
  { value, threshold }: Condition,
  { remind_after_seconds }: Thresholds,
): void {
  const seen = { value, threshold, lastSeenAt: ctx.now, absentSince: null }
  const isDue = ctx.now >= alert.toldAt + remind_after_seconds * 1000
  change(ctx, { ...alert, ...seen }, isDue ? 'alert.reminder' : null)
}

/** Answers whether the alert is resolved by now. */
function fade(ctx: LedgerContext, alert: AlertRow, { resolve_after_seconds }: Thresholds): boolean {
  const absentSince = alert.absentSince ?? ctx.now
  const isOver = ctx.now >= absentSince + resolve_after_seconds * 1000
  if (isOver) change(ctx, { ...alert, absentSince, resolvedAt: ctx.now }, 'alert.resolved')
  else if (alert.absentSince === null) changeAlert(ctx.db, alert.id, { absentSince })
  return isOver
}

function change(ctx: LedgerContext, alert: AlertRow, told: AlertEventType | null): void {
  const next = told ? { ...alert, toldAt: ctx.now, sequence: alert.sequence + 1 } : alert
  changeAlert(ctx.db, alert.id, next)
  if (told) tell(ctx, next, told)
}

function tell(ctx: LedgerContext, alert: AlertRow, type: AlertEventType): void {
  append(ctx, { type, subjectId: alert.id, data: { ...alertView(alert), sequence: alert.sequence } })
}

/** `resolvedAt` is null for those that are open, which are not less than anything. */
function dropOld({ db, now }: LedgerContext): void {
  const before = now - KEPT_MS
  db.delete(alerts)
    .where(and(lt(alerts.id, idFloor('alert', before)), lt(alerts.resolvedAt, now)))
    .run()
}
