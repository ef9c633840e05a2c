/** Which conditions hold. Pure: what was read, what has come since, the thresholds and the moment, in. */
import { type ConditionName, conditionNames, conditionUnits } from '../../openapi/alert-words.ts'
import type { ModelCounts, Reading } from './reading.ts'
import type { Thresholds } from './thresholds.ts'
import type { Growth } from './window.ts'

export interface Condition {
  readonly condition: ConditionName
  /** Null where it is about all of the service. */
  readonly subject: string | null
  readonly value: number
  readonly threshold: number
}

export interface Verdict {
  readonly found: Condition[]
  /** Of these nobody can say: what they go by could not be read. */
  readonly unknown: ConditionName[]
}

/** `grown` within the window; null while there is nothing to compare with. */
export function judgeConditions(
  reading: Reading,
  grown: Growth | null,
  thresholds: Thresholds,
  now: number,
): Verdict {
  const verdict: Verdict = { found: [], unknown: [] }
  for (const condition of conditionNames) {
    const threshold = thresholds[condition]
    const measured = rules[condition](reading, { now, grown, minimum: thresholds.minimum_count })
    if (measured === null) verdict.unknown.push(condition)
    else if (threshold !== null) verdict.found.push(...above(condition, threshold, measured))
  }
  return verdict
}

interface Measured {
  readonly subject: string | null
  readonly value: number
}

const above = (condition: ConditionName, threshold: number, measured: Measured[]): Condition[] =>
  measured
    .map(({ subject, value }) => ({ condition, subject, value: rounded(condition, value), threshold }))
    .filter(({ value }) => value > threshold)

const rounded = (condition: ConditionName, value: number) =>
  conditionUnits[condition] === 'ratio' ? Number(value.toFixed(4)) : Math.round(value)

interface Moment {
  readonly now: number
  readonly grown: Growth | null
  readonly minimum: number
}

/** What is to be held against the threshold; null when that cannot be said. */
type Rule = (reading: Reading, moment: Moment) => Measured[] | null

const rules: Record<ConditionName, Rule> = {
  oldest_waiting_job: ({ figures }, { now }) => figures && age(figures.oldestWaitingAt, now),
  oldest_unfinished_job: ({ figures }, { now }) => figures && age(figures.oldestUnfinishedAt, now),
  jobs_past_deadline: ({ figures }) => figures && overall(figures.pastDeadline),
  stalled_batches: ({ figures }) => figures && overall(figures.batchesStalled),
  oldest_open_dead_letter: ({ letters }, { now }) => letters && age(letters.oldestOpenAt, now),
  expiry_rate: ({ figures }, moment) => figures && sharesByModel(moment, ({ expired }) => expired),
  failure_rate: ({ figures }, moment) =>
    figures && [...shareOfAll(moment), ...sharesByModel(moment, ({ failed }) => failed)],
  provider_refusals: ({ figures }, { grown }) =>
    figures && models(grown).map(([subject, { refused: value }]) => ({ subject, value })),
  webhook_failure_rate: ({ figures }, { grown, minimum }) => {
    const { attempts, failed } = grown?.webhooks ?? { attempts: 0, failed: 0 }
    return figures && share(null, failed, attempts, minimum)
  },
  queue_backlog_age: ({ queues }, { now }) =>
    queues === null ? null : queues.flatMap(({ queue, oldestAt }) => age(oldestAt, now, queue)),
  silent_ledger: ({ ledgers }, { now }) => ledgers && age(ledgers.silentSince, now),
  check_incomplete: (reading) =>
    Object.entries(reading).map(([subject, part]) => ({ subject, value: part === null ? 1 : 0 })),
}

const overall = (value: number): Measured[] => [{ subject: null, value }]

/** In seconds. */
const age = (at: number | null, now: number, subject: string | null = null): Measured[] =>
  at === null ? [] : [{ subject, value: (now - at) / 1000 }]

const models = (grown: Growth | null) => [...(grown?.models ?? [])]

const share = (subject: string | null, part: number, whole: number, minimum: number): Measured[] =>
  whole < minimum ? [] : [{ subject, value: part / whole }]

const sharesByModel = ({ grown, minimum }: Moment, part: (counts: ModelCounts) => number): Measured[] =>
  models(grown).flatMap(([model, counts]) => share(model, part(counts), counts.ended, minimum))

function shareOfAll({ grown, minimum }: Moment): Measured[] {
  const counts = models(grown).map(([, one]) => one)
  const sum = (of: (one: ModelCounts) => number) => counts.reduce((total, one) => total + of(one), 0)
  return share(
    null,
    sum(({ failed }) => failed),
    sum(({ ended }) => ended),
    minimum,
  )
}
