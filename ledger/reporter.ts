/**
 * A ledger's snapshots of itself: when one is owed, and what is in it. Owed is one as long as work is open, and after each change to what
 * it tells; what was told last is on record, so a ledger that starts again knows whether it owes one. All values are absolute, with a
 * revision: a snapshot of which nobody knows whether it arrived is followed by the next.
 */
import { countWorkedBatches } from './batches/rows.ts'
import type { Directory } from './directory/open.ts'
import { type Snapshot, writeSnapshot } from './directory/roll-ups.ts'
import type { DayUsage, Figures } from './figures.ts'
import { gaugesOf } from './gauges.ts'
import type { Life } from './life.ts'
import { readMeta, writeMeta } from './meta.ts'
import { OPERATORS_LEDGER } from './operators.ts'
import { noteFigures } from './points.ts'
import type { Db } from './store.ts'
import { dayOf, type UsageDay, usageAfter } from './usage-days.ts'
import { foldPastDays, workFigures } from './work-figures.ts'

/** A day may still have been added to for so long after its end, by a clock that is behind. */
const LATE_MS = 3_600_000

export interface Reported {
  /** When, and under which revision; milliseconds since the epoch. */
  readonly at: number
  readonly revision: number
  readonly openWork: number
  /** Webhook attempts in all. */
  readonly attempts: number
  /** How often rows of each of the last days had been added to. */
  readonly days: Record<string, number>
}

const nothing: Reported = { at: 0, revision: 0, openWork: 0, attempts: 0, days: {} }

export interface ReporterParts {
  readonly db: Db
  /** The object's name. */
  readonly ledger: string
  /** Between two snapshots at least. */
  readonly everyMs: number
  readonly life: () => Life | null
  /** The earliest deadline of an open job, or an earlier time; null when there is none. */
  readonly deadline: (now: number) => number | null
  readonly points: AnalyticsEngineDataset
}

export class Reporter {
  readonly #parts: ReporterParts
  #reported = nothing
  /** Grows with each change; and what it was when the last snapshot was made. */
  #changes = 0
  #told = 0

  constructor(parts: ReporterParts) {
    this.#parts = parts
  }

  /** Finds out whether the tables tell more than the last snapshot. */
  load(): void {
    this.#reported = readMeta(this.#parts.db, 'reported') ?? nothing
    const attempts = this.#parts.life()?.webhooks.total ?? 0
    if (attempts !== this.#reported.attempts || this.#changedDays().length > 0) this.changed()
  }

  changed(): void {
    this.#changes++
  }

  /** When the next snapshot is due; infinite when none is owed. An idle ledger that has said so owes none, nor does that of operators. */
  dueAt(): number {
    const active = this.#openWork() + this.#reported.openWork > 0
    const owed = (active || this.#changes !== this.#told) && this.#parts.ledger !== OPERATORS_LEDGER
    return owed ? this.#reported.at + this.#parts.everyMs : Number.POSITIVE_INFINITY
  }

  async report(directory: Directory, now: number): Promise<void> {
    const life = this.#parts.life()
    if (!life) return
    const changes = this.#changes
    life.webhooks.keep()
    const reported = this.#reporting(life, now)
    const snapshot = this.#snapshot(life, reported)
    await writeSnapshot(directory, snapshot)
    // One that was given up as hanging may end after the next.
    if (reported.revision <= this.#reported.revision) return
    this.#reported = reported
    this.#told = changes
    writeMeta(this.#parts.db, 'reported', reported)
    foldPastDays(this.#parts.db, now)
    noteFigures(this.#parts.points, life.identity.tenantId, this.#parts.ledger, snapshot.rollUp.figures.work)
  }

  /** What a life that is over has not told yet. */
  last(ended: Life, now: number): Snapshot {
    this.#reported = readMeta(this.#parts.db, 'reported') ?? nothing
    return this.#snapshot(ended, this.#reporting(ended, now))
  }

  /** In one go, so that all of it is of one moment. */
  #snapshot(life: Life, { at, revision, openWork }: Reported): Snapshot {
    const { ledger } = this.#parts
    const { tenantId } = life.identity
    const figures = this.#figures(life, at)
    return {
      rollUp: { ledger, revision, openJobs: openWork, updatedAt: at, figures },
      days: this.#changedDays().map(([day, rows]) => ({
        ledger,
        tenantId,
        day,
        revision,
        figures: rows.map(usageOf),
      })),
    }
  }

  #figures({ open, webhooks }: Life, now: number): Figures {
    const { db, deadline } = this.#parts
    const work = workFigures(db, open.ofWork)
    return { v: 1, work, now: gaugesOf(db, open, now, deadline(now)), webhooks: webhooks.figures }
  }

  #reporting({ webhooks }: Life, now: number): Reported {
    const days = Object.fromEntries(this.#days(now).map(([day, rows]) => [day, changesOf(rows)]))
    const revision = Math.max(now, this.#reported.revision + 1)
    return { at: now, revision, openWork: this.#openWork(), attempts: webhooks.total, days }
  }

  #openWork = () => (this.#parts.life()?.open.total ?? 0) + countWorkedBatches(this.#parts.db)

  /** Days that may have been added to since then, each with its rows. */
  #days(since: number): [number, UsageDay[]][] {
    const rows = usageAfter(this.#parts.db, since === 0 ? 0 : dayOf(since - LATE_MS) - 1)
    return [...Map.groupBy(rows, ({ day }) => day)]
  }

  #changedDays = () =>
    this.#days(this.#reported.at).filter(([day, rows]) => changesOf(rows) !== this.#reported.days[day])
}

const changesOf = (rows: readonly UsageDay[]) => rows.reduce((sum, { changes }) => sum + changes, 0)

const usageOf = (day: UsageDay): DayUsage => ({
  kind: day.kind,
  model: day.model,
  jobs: day.jobs,
  items: day.items,
  succeeded: day.succeeded,
  failed: day.failed,
  input_tokens: day.inputTokens,
  output_tokens: day.outputTokens,
  cost_micro_usd: day.costMicroUsd,
})
