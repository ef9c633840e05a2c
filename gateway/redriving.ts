/**
 * Redriving dead letters, one or many, in stages: the ledgers are asked, the input is looked for in R2, the ledgers make the new
 * jobs, the directory is told. Each stage may break off: what was made is found again by the next redrive. A letter that cannot be
 * redriven carries its problem along and holds up no other.
 */
import type { LedgerStub } from '../ledger/call.ts'
import { markRedriven } from '../ledger/directory/closing.ts'
import { type DeadLetterRow, findDeadLetter } from '../ledger/directory/dead-letters.ts'
import { openDirectory } from '../ledger/directory/open.ts'
import type { Act } from '../ledger/directory/operations.ts'
import { knownOrders } from '../ledger/directory/orders.ts'
import { closedBecause } from '../ledger/directory/standing.ts'
import { findLedgerName } from '../ledger/directory/tenants.ts'
import { mintId, randomBytes } from '../ledger/ids.ts'
import { errorName, log } from '../ledger/log.ts'
import type { Redrivable, RedriveRequest } from '../ledger/redrive.ts'
import type { Outcome } from '../ledger/replies.ts'
import { callLedger, outOfReach } from './ledgers.ts'
import { Problem } from './problem.ts'

/** An invocation has six connections. */
const SIDE_BY_SIDE = 5

/** `value` is what the last stage knows of a letter that goes on; `problem` is why another does not. */
export type Verdict<T> = { letter: DeadLetterRow } & (
  | { problem: null; value: T }
  | { problem: Problem; value: null }
)

const goesOn = <T>(letter: DeadLetterRow, value: T): Verdict<T> => ({ letter, problem: null, value })
const stops = (letter: DeadLetterRow, problem: Problem) => ({ letter, problem, value: null })
const notRedrivable = (detail: string) => new Problem('not-redrivable', { detail })

/** A report of many has only a word for a fault; the log has the rest. What was done by then is found again. */
function brokeOff(letter: DeadLetterRow, problem: Problem) {
  const error = errorName(problem.members.cause)
  log('dead_letter.redrive_failed', { dead_letter_id: letter.id, problem: problem.code, error })
  return stops(letter, problem)
}

/** What a redrive of each would come to; changes nothing. */
export async function foretell(env: GatewayEnv, letters: DeadLetterRow[]): Promise<Verdict<Redrivable>[]> {
  const asked = letters.map((letter) => {
    const closed = closedBecause(letter)
    return closed === null ? goesOn(letter, null) : stops(letter, notRedrivable(closed))
  })
  const orders = await knownOrders(env.DIRECTORY, Date.now()).catch(outOfReach)
  const answered = await askLedgers(env, asked, (ledger, own) => ledger.foretellRedrives(own, orders))
  return eachGoingOn(answered, (letter, found) => withInput(env, letter, found))
}

/** Redrives each that can be; `actOn` says who does it and why. The value is the new job's ID. */
export async function redrive(
  env: GatewayEnv,
  letters: DeadLetterRow[],
  actOn: (letter: DeadLetterRow, newJobId: string) => Act,
): Promise<Verdict<string>[]> {
  const foretold = await foretell(env, letters)
  const orders = await knownOrders(env.DIRECTORY, Date.now()).catch(outOfReach)
  const made = await askLedgers(env, foretold, (ledger, own) => ledger.redriveJobs(own, orders))
  return eachGoingOn(made, async (letter, { newJobId }) => {
    const told = await tellDirectory(env, letter, newJobId, actOn(letter, newJobId))
    return told ?? goesOn(letter, newJobId)
  })
}

/** One call to each tenant's ledger, for all of its letters that go on. */
async function askLedgers<T, U>(
  env: GatewayEnv,
  verdicts: Verdict<T>[],
  ask: (ledger: LedgerStub, requests: RedriveRequest[]) => Promise<Outcome<U>[]>,
): Promise<Verdict<U>[]> {
  const letters = verdicts.filter(({ problem }) => problem === null).map(({ letter }) => letter)
  const byTenant = Array.from(Map.groupBy(letters, ({ tenantId }) => tenantId ?? ''))
  const answers = await inChunks(byTenant, ([tenantId, own]) => askLedger(env, tenantId, own, ask))
  const byId = new Map(answers.flat().map((answer) => [answer.letter.id, answer]))
  return verdicts.map(({ letter, problem }) =>
    problem ? stops(letter, problem) : (byId.get(letter.id) ?? stops(letter, new Problem('internal'))),
  )
}

async function askLedger<U>(
  env: GatewayEnv,
  tenantId: string,
  letters: DeadLetterRow[],
  ask: (ledger: LedgerStub, requests: RedriveRequest[]) => Promise<Outcome<U>[]>,
): Promise<Verdict<U>[]> {
  try {
    const name = await findLedgerName(env.DIRECTORY, tenantId, Date.now()).catch(outOfReach)
    if (name === null)
      return letters.map((letter) => stops(letter, notRedrivable('The tenant does not exist any more.')))
    const outcomes = await callLedger(env, name, (ledger) => ask(ledger, letters.map(requestFor)))
    return letters.map((letter, at) => verdictOf(letter, outcomes[at]))
  } catch (error) {
    const problem = error instanceof Problem ? error : new Problem('internal', { cause: error })
    return letters.map((letter) => brokeOff(letter, problem))
  }
}

const requestFor = ({ id, jobId }: DeadLetterRow): RedriveRequest => ({
  deadLetterId: id,
  jobId: jobId ?? '',
  newJobId: mintId('job', 0, Date.now(), randomBytes),
})

/** Whatever the ledger refuses for is why the letter cannot be redriven; only what passes by itself stays what it is. */
function verdictOf<U>(letter: DeadLetterRow, outcome: Outcome<U> | undefined): Verdict<U> {
  if (!outcome) return stops(letter, new Problem('internal'))
  if (outcome.ok) return goesOn(letter, outcome.value)
  const { code, detail } = outcome.refusal
  const passes = code === 'unavailable' || code === 'intake-paused'
  return stops(letter, passes ? Problem.fromRefusal(outcome.refusal) : notRedrivable(detail))
}

async function withInput(env: GatewayEnv, letter: DeadLetterRow, found: Redrivable) {
  try {
    for (const ref of found.refs)
      if (!(await env.CONTENT.head(ref)))
        return stops(letter, notRedrivable('The input is missing from the content store.'))
    return goesOn(letter, found)
  } catch (error) {
    return brokeOff(letter, Problem.unavailable(error))
  }
}

/** Null once the directory has it. Of two operators at once one is first, and the other learns of it. */
async function tellDirectory(env: GatewayEnv, letter: DeadLetterRow, newJobId: string, act: Act) {
  const directory = openDirectory(env.DIRECTORY)
  try {
    await markRedriven(directory, letter.id, newJobId, act)
    return null
  } catch (error) {
    const now = await findDeadLetter(directory, letter.id).catch(() => undefined)
    const closed = now && closedBecause(now)
    return closed ? stops(letter, notRedrivable(closed)) : brokeOff(letter, Problem.unavailable(error))
  }
}

const eachGoingOn = <T, U>(
  verdicts: Verdict<T>[],
  next: (letter: DeadLetterRow, value: T) => Promise<Verdict<U>>,
): Promise<Verdict<U>[]> =>
  inChunks(verdicts, async (verdict) =>
    verdict.problem ? stops(verdict.letter, verdict.problem) : next(verdict.letter, verdict.value),
  )

async function inChunks<T, U>(items: T[], work: (item: T) => Promise<U>): Promise<U[]> {
  const done: U[] = []
  for (let at = 0; at < items.length; at += SIDE_BY_SIDE)
    done.push(...(await Promise.all(items.slice(at, at + SIDE_BY_SIDE).map(work))))
  return done
}
