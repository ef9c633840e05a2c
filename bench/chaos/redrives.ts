/** Dead letters driven again when all is over: each once, as a new job that names the old one. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isTerminal } from '../../ledger/job.ts'
import type { JobStatus } from '../../openapi/job-words.ts'
import type { Caller } from '../support/gateway.ts'
import type { Customer } from './customer.ts'
import type { Evidence, JobRow, Letter } from './evidence.ts'
import { ask } from './requests.ts'

/** Of each class of failure, and again of those whose input is gone: these are few. */
const OF_EACH_CLASS = 2
const POLL_MS = 200
const REASON = 'the chaos is over'

export interface Redrives {
  redriven: number
  /** Those whose input is gone. */
  refused: number
  readonly wrong: string[]
}

interface Chosen {
  readonly letter: Letter
  readonly jobId: string
  readonly customer: Customer
  /** Its input was removed from R2. */
  readonly isLost: boolean
}

export async function redriveSome(
  operator: Caller,
  evidence: readonly Evidence[],
  boundMs: number,
): Promise<Redrives> {
  const redrives: Redrives = { redriven: 0, refused: 0, wrong: [] }
  const groups = Map.groupBy(
    evidence.flatMap(candidates),
    ({ letter, isLost }) => `${letter.class} ${isLost}`,
  )
  const chosen = [...groups.values()].flatMap((some) => some.slice(0, OF_EACH_CLASS))
  await Promise.all(
    chosen.map(async (one) => {
      const wrong = await (one.isLost ? refuse(operator, one) : redrive(operator, one, boundMs))
      if (wrong) redrives.wrong.push(`${one.letter.id} (${one.letter.class}, ${one.jobId}): ${wrong}`)
      else redrives[one.isLost ? 'refused' : 'redriven']++
    }),
  )
  return redrives
}

/** A call that hangs takes its whole time again, and a provider that does nothing but refuse closes its gate for ever longer. */
const takesLong = ({ model }: JobRow, letter: Letter) =>
  model === 'test/hangs' || letter.class === 'provider_overloaded'

/** Open letters of jobs whose content is there, of tenants whose budget stands in no way. */
function candidates({ plan, customer, rows, letters }: Evidence): Chosen[] {
  if (plan.limits.monthly_budget_usd !== undefined) return []
  const lost = new Set(
    Array.from(customer.accepted.values(), ({ id, planned }) => (planned.file?.loses ? id : '')),
  )
  return rows.flatMap((row) => {
    const letter = letters.get(row.id)
    if (letter?.status !== 'open' || takesLong(row, letter) || row.content_deleted_at !== null) return []
    return [{ letter, jobId: row.id, customer, isLost: lost.has(row.id) }]
  })
}

const send = (operator: Caller, { letter }: Chosen, key: string) => {
  const path = `/ops/v1/dead_letters/${letter.id}/redrive`
  return ask(operator, { method: 'POST', path, key, body: { reason: REASON } })
}

async function refuse(operator: Caller, chosen: Chosen): Promise<string | null> {
  const answer = await send(operator, chosen, crypto.randomUUID())
  return answer?.status === 409
    ? null
    : `its input is gone, and the redrive is answered with ${answer?.status}`
}

async function redrive(operator: Caller, chosen: Chosen, boundMs: number): Promise<string | null> {
  const { letter, jobId, customer } = chosen
  const key = crypto.randomUUID()
  const [first, same] = [await send(operator, chosen, key), await send(operator, chosen, key)]
  const other = await send(operator, chosen, crypto.randomUUID())
  const statuses = [first?.status, same?.status, other?.status].join()
  const newJobId = String(first?.body.new_job_id)
  if (statuses !== '202,202,409' || same?.body.new_job_id !== newJobId)
    return `three redrives are answered with ${statuses}`
  const { redrive_of } = await ended(customer, newJobId, boundMs)
  const told = await ask(operator, { method: 'GET', path: `/ops/v1/dead_letters/${letter.id}` })
  const linked = told?.body.status === 'redriven' && told.body.new_job_id === newJobId && redrive_of === jobId
  return linked ? null : `the new job stands for ${redrive_of}, the letter is ${told?.body.status}`
}

interface Redriven {
  readonly status: JobStatus
  readonly redrive_of: string | null
}

async function ended({ caller }: Customer, id: string, boundMs: number): Promise<Redriven> {
  for (const until = Date.now() + boundMs; Date.now() < until; await sleep(POLL_MS)) {
    const job = await caller.get<Redriven>(`/v1/jobs/${id}`)
    if (isTerminal(job.status)) return job
  }
  throw new Error(`The redriven job ${id} has not ended after ${boundMs} ms.`)
}
