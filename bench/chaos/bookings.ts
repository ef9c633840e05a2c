/**
 * What was booked, held against those who were there: the stand-in for OpenAI, which knows what it answered and what that costs, and
 * the Workers' log, which has a line for each settlement. Pure.
 */
import { CHAT_USAGE, EMBEDDING_TOKENS } from '../../test/support/openai-answers.ts'
import { tellingFaults } from './bodies.ts'
import type { Evidence, JobRow } from './evidence.ts'

/** Tokens of one answer of the stand-in's, and integer micro-USD for it by OpenAI's price list. */
const answers = {
  chat: { input: CHAT_USAGE.prompt_tokens, output: CHAT_USAGE.completion_tokens, microUsd: 270 },
  embed: { input: EMBEDDING_TOKENS, output: 0, microUsd: 10 },
}

const isOpenAi = ({ model }: JobRow) => model.startsWith('openai/')
const attemptsOf = ({ attempt, released }: JobRow) => attempt - released

/** Ended by what its attempts came to, and each of them was heard of. */
const isUndisturbed = ({ status, error_class, lost_leases, failures }: JobRow) =>
  lost_leases === 0 &&
  !failures.includes('timeout') &&
  (status === 'succeeded' || status === 'failed') &&
  !['timeout', 'deadline_exceeded', 'budget_exhausted'].includes(error_class ?? '')

/**
 * How often an answer was sent that says what it cost, and under how many keys. Both copies of a message run the attempt: where a fault
 * strikes only once, one copy may fail and the other be answered, and the next attempt then gets that answer again, under the same key.
 */
function servedTo({ id }: JobRow, { asked }: Evidence) {
  const requests = asked.get(id) ?? []
  const told = requests.filter(({ fault }) => tellingFaults.includes(fault))
  return {
    answers: told.length,
    keys: new Set(told.map(({ key }) => key)).size,
    strikesOnce: requests.some(({ body }) => JSON.stringify(body).includes(':once')),
  }
}

/** Null when the job's tokens and costs are those of the answers that were sent. */
export function unlikeServed(row: JobRow, evidence: Evidence): string | false {
  if (!isOpenAi(row)) return false
  const { answers: sent, keys, strikesOnce } = servedTo(row, evidence)
  const each = answers[row.kind === 'embed' ? 'embed' : 'chat']
  const booked = (row.input_tokens ?? 0) / each.input
  const unknown = ((row.cost_micro_usd ?? 0) - booked * each.microUsd) / row.estimate_micro_usd
  const whole = Number.isInteger(booked) && (row.output_tokens ?? 0) === booked * each.output
  const counted = Number.isInteger(unknown) && unknown >= 0 && booked + unknown <= attemptsOf(row)
  const exact = isUndisturbed(row) && !strikesOnce
  const possible = booked <= (strikesOnce ? sent : keys) && (row.status !== 'succeeded' || booked > 0)
  const fits = exact ? booked === keys : possible
  return (
    !(whole && counted && fits) &&
    `${booked} answers and ${unknown} unknown outcomes are booked for ${attemptsOf(row)} attempts; ${sent} were sent under ${keys} keys`
  )
}

/** Attempts whose settlement the log has: a repetition alone is not all that was booked. */
const settledIn = (row: JobRow, { logged }: Evidence) =>
  new Set(
    logged(row.id)
      .filter(({ verdict }) => verdict !== 'already')
      .map(({ attempt }) => attempt),
  )

/** Whether the log has all that was booked for the job. */
export const isLoggedWhole = (row: JobRow, evidence: Evidence) =>
  isUndisturbed(row) && !evidence.unheard.has(row.id) && settledIn(row, evidence).size === attemptsOf(row)

/** Null when the log says of the job's costs what its row does, and of no attempt twice. */
export function unlikeLogged(row: JobRow, evidence: Evidence): string | false {
  const bookings = evidence.logged(row.id).filter(({ microUsd }) => microUsd > 0)
  const sum = bookings.reduce((all, { microUsd }) => all + microUsd, 0)
  const cost = row.cost_micro_usd ?? 0
  const once = new Set(bookings.map(({ attempt }) => attempt)).size === bookings.length
  const fits = isLoggedWhole(row, evidence) ? sum === cost : sum <= cost
  return !(once && fits) && `${bookings.length} bookings of ${sum} micro-USD are logged, ${cost} on record`
}
