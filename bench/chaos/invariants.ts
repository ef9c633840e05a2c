/** What must hold whatever happened. Each names the cases in which it does not; pure. */
import { MAX_ATTEMPTS, MAX_LOST_LEASES } from '../../ledger/failure.ts'
import { isTerminal } from '../../ledger/job.ts'
import { type FailureCounts, isDeadLetter, totalOf } from '../../ledger/judge.ts'
import { batchInvariants, sumOf } from './batch-invariants.ts'
import { unlikeLogged, unlikeServed } from './bookings.ts'
import type { Evidence, JobRow } from './evidence.ts'
import { toldInvariants } from './told-invariants.ts'

const PRICE_MICRO_USD = 10_000
const MICRO_USD = 1_000_000

const terminalTypes: Record<string, string> = {
  succeeded: 'job.result_available',
  failed: 'job.failed',
  cancelled: 'job.cancelled',
}

type Invariant = (evidence: Evidence) => string[]

const ofJobs =
  (broken: (row: JobRow, evidence: Evidence) => string | false): Invariant =>
  (evidence) =>
    evidence.rows.flatMap((row) => {
      const why = broken(row, evidence)
      return why ? [`${row.id} (${evidence.plan.id}, ${row.model}, ${row.status}): ${why}`] : []
    })

const eventsOf = ({ events }: Evidence, id: string, types: readonly string[]) =>
  events.filter(({ subject_id, type }) => subject_id === id && types.includes(type))

/** By name, as they are shown. */
export const invariants: Record<string, Invariant> = {
  ...batchInvariants,
  ...toldInvariants,

  lost_jobs: ({ customer, rows, views }) =>
    [...customer.accepted.values()].flatMap(({ id }) =>
      rows.some((row) => row.id === id) && views.has(id) ? [] : [`${id} was accepted and is not there`],
    ),

  jobs_nobody_knows: ({ customer, rows }) => {
    const known = new Set(Array.from(customer.accepted.values(), ({ id }) => id))
    return rows.filter(({ id }) => !known.has(id)).map(({ id }) => `${id} belongs to no answer`)
  },

  strange_answers: ({ customer }) => customer.tally.strange,

  jobs_without_end: ofJobs(
    ({ status, due_at, finished_at }) =>
      (!isTerminal(status) || due_at !== null || finished_at === null) && 'has not ended',
  ),

  views_that_differ: ofJobs(({ id, status, error_class }, { views }) => {
    const view = views.get(id)
    const same = view?.status === status && view.terminal && (view.error?.class ?? null) === error_class
    return !same && `the API says ${view?.status}, ${view?.error?.class}`
  }),

  cancellations_undone: ofJobs(
    ({ id, status }, { customer }) =>
      customer.tally.cancelled.has(id) && status !== 'cancelled' && 'was cancelled',
  ),

  deletions_undone: ofJobs(
    ({ id, content_deleted_at, has_content }, { customer }) =>
      (customer.tally.deleted.has(id)
        ? content_deleted_at === null || has_content === 1
        : content_deleted_at !== null) && `its content was deleted at ${content_deleted_at}`,
  ),

  jobs_not_told_once: ofJobs(({ id, status, sequence }, evidence) => {
    const ends = eventsOf(evidence, id, Object.values(terminalTypes))
    const starts = eventsOf(evidence, id, ['job.accepted'])
    const once = ends.length === 1 && ends[0]?.type === terminalTypes[status] && starts.length === 1
    return (!once || sequence !== 2) && `${starts.length} starts, ends ${ends.map(({ type }) => type)}`
  }),

  webhooks_not_told_once: ofJobs(({ id }, evidence) => {
    const heard = [...evidence.heard(id)]
    const [end] = eventsOf(evidence, id, Object.values(terminalTypes))
    const right = heard.length === 1 && heard[0] === end?.id
    return !right && `its receiver heard of ${heard.length} ends`
  }),

  reservations_left: ofJobs(
    ({ reserved_micro_usd }) => reserved_micro_usd !== 0 && `${reserved_micro_usd} are set aside`,
  ),

  slots_leaked: ofJobs(({ status }) => status === 'running' && 'is running'),

  attempts_over_limit: ofJobs(
    ({ attempt, released, lost_leases }) =>
      (attempt - released > MAX_ATTEMPTS + MAX_LOST_LEASES || lost_leases > MAX_LOST_LEASES) &&
      `${attempt} attempts, ${lost_leases} lost leases`,
  ),

  dead_letters_missing: ofJobs(({ id, error_class, failures }, { letters }) => {
    if (!error_class || !isDeadLetter(error_class, JSON.parse(failures) as FailureCounts)) return false
    const letter = letters.get(id)
    return (letter?.status !== 'open' || letter.class !== error_class) && `its letter is ${letter?.status}`
  }),

  dead_letters_of_others: ({ letters, rows }) =>
    [...letters].flatMap(([id, { status }]) => {
      const job = rows.find((row) => row.id === id)
      return status === 'open' && job?.status !== 'failed' ? [`${id} is ${job?.status}`] : []
    }),

  attempts_not_booked_once: ofJobs(({ model, attempt, released, cost_micro_usd, book_by }) => {
    const cost = cost_micro_usd ?? 0
    const expected = model === 'test/priced' ? PRICE_MICRO_USD * (attempt - released) : 0
    const booked = (model.startsWith('openai/') || cost === expected) && book_by === null
    return !booked && `${attempt - released} attempts cost ${cost} micro-USD`
  }),

  bookings_unlike_the_log: ofJobs(unlikeLogged),

  bookings_unlike_the_provider: ofJobs(unlikeServed),

  effects_doubled: ofJobs(({ id, model, status, failures, unknown_outcomes }, { effects }) => {
    if (!model.startsWith('openai/')) return false
    const known = totalOf(JSON.parse(failures) as FailureCounts) - unknown_outcomes
    const keys = Array.from({ length: known + 1 }, (_, answers) => `${id}-${answers}`)
    const others = [...effects.keys()].filter((key) => key.startsWith(id) && !keys.includes(key))
    const twice = keys.filter((key) => (effects.get(key) ?? 0) > 1)
    const never = status === 'succeeded' && !keys.some((key) => effects.has(key))
    return (others.length + twice.length > 0 || never) && `${keys} worked, and ${others}, ${twice}`
  }),

  jobs_of_items_left: ({ itemRows, plan }) =>
    itemRows
      .filter((row) => !isTerminal(row.status) || row.reserved_micro_usd !== 0 || row.book_by !== null)
      .map(({ id, status }) => `${id} of ${plan.id} is ${status}`),

  content_in_tables: ({ leaks }) => [...leaks],

  usage_that_differs: ({ rows, batches, usage, spentMicroUsd, plan }) => {
    const chunks = batches.flatMap((batch) => batch.chunks)
    const sum = (value: (row: JobRow) => number | null) =>
      rows.reduce((all, row) => all + (value(row) ?? 0), 0)
    const count = (status: string) => rows.filter((row) => row.status === status).length
    const microUsd = sum((row) => row.cost_micro_usd) + sumOf(chunks, (chunk) => chunk.cost_micro_usd)
    const input = sum((row) => row.input_tokens) + sumOf(chunks, (chunk) => chunk.input_tokens)
    const output = sum((row) => row.output_tokens) + sumOf(chunks, (chunk) => chunk.output_tokens)
    const pairs: [string, number, number][] = [
      ['jobs', usage.jobs, rows.length],
      ['items', usage.items, sumOf(chunks, (chunk) => chunk.items)],
      ['succeeded', usage.succeeded, count('succeeded') + sumOf(chunks, (chunk) => chunk.succeeded)],
      ['failed', usage.failed, count('failed') + sumOf(chunks, (chunk) => chunk.failed)],
      ['input tokens', usage.input_tokens, input],
      ['output tokens', usage.output_tokens, output],
      ['micro-USD', usage.cost_micro_usd, microUsd],
      ['micro-USD of the budget', spentMicroUsd, microUsd],
    ]
    return pairs.flatMap(([name, ours, theirs]) =>
      ours === theirs ? [] : [`${plan.id}: ${ours} ${name}, by its jobs and batches ${theirs}`],
    )
  },

  budgets_overrun: ({ plan, spentMicroUsd }) => {
    const budget = plan.limits.monthly_budget_usd
    return typeof budget === 'number' && spentMicroUsd > budget * MICRO_USD
      ? [`${plan.id} spent ${spentMicroUsd} micro-USD of ${budget} USD`]
      : []
  },
}
