/**
 * Asks one model about one case, as a job would be run: the same call, the same check of what comes back, under the limits that all
 * tenants share. What passes by itself is tried a few times, but nobody waits for a model that hangs a second time.
 */
import { estimateMicroUsd } from '../../catalog/estimate.ts'
import type { KindName } from '../../catalog/kind.ts'
import { kindOf } from '../../catalog/kinds.ts'
import { costMicroUsd, type Model } from '../../catalog/models.ts'
import { randomBytes } from '../../ledger/ids.ts'
import { type Backoff, type FailureCounts, judge } from '../../ledger/judge.ts'
import { errorName, log } from '../../ledger/log.ts'
import { continueTrace } from '../../ledger/trace.ts'
import { isEmpty } from '../batches/outcome.ts'
import type { GatedCall, Gates } from '../gate/gates.ts'
import { type Attempt, failed, type Provider } from '../provider.ts'
import { callProvider } from '../run.ts'
import type { Answer, Case } from './answer.ts'
import { measure } from './measure.ts'

export interface Question {
  /** Names it at the provider and at the gate. */
  readonly name: string
  readonly kind: KindName
  readonly model: Model
  readonly params: unknown
  readonly case: Case
}

export interface AskParts {
  readonly gates: Pick<Gates, 'closedUntil' | 'report'>
  readonly provider: Provider
  readonly timeoutMs: number
  /** Nothing is begun after this time. */
  readonly until: number
  readonly stop: AbortSignal
  readonly now: () => number
  readonly random: () => number
  readonly sleep: (ms: number) => Promise<void>
}

const MOST_ATTEMPTS = 3
const BACKOFF: Backoff = { baseMs: 250, capMs: 5000 }
/** In the place of a tenant at the gates, where no tenant can have this name: evaluations get the share of one. */
const TENANT = '~evaluations'

/** Null when the model's gate let nothing through in time, or it was stopped: then nothing is known. */
export async function ask(question: Question, parts: AskParts): Promise<Answer | null> {
  const counts: FailureCounts = {}
  let [last, costMicroUsd]: [Answer | null, number] = [null, 0]
  for (let attempt = 1; ; attempt++) {
    const call = await permitted(question, attempt, parts)
    if (!call) return parts.stop.aborted ? null : last
    const { answer, outcome } = await attemptAt(question, attempt, parts)
    await parts.gates.report(call, outcome)
    costMicroUsd += answer.costMicroUsd
    last = { ...answer, costMicroUsd }
    if (parts.stop.aborted) return null
    if (outcome.kind === 'completed' || outcome.class === 'timeout' || attempt >= MOST_ATTEMPTS) return last
    const verdict = judge(outcome, counts, BACKOFF, parts.random)
    if (verdict.kind === 'fail' || parts.now() + verdict.delayMs >= parts.until) return last
    counts[outcome.class] = (counts[outcome.class] ?? 0) + 1
    await parts.sleep(verdict.delayMs)
  }
}

const SHORTEST_WAIT_MS = 100

/** What was said to a call is said again, so each asking is another call of the same question. */
async function permitted(question: Question, attempt: number, parts: AskParts): Promise<GatedCall | null> {
  for (let asked = 1; parts.now() < parts.until && !parts.stop.aborted; asked++) {
    const call = callOf(question, attempt * 1000 + asked)
    const closedUntil = await parts.gates.closedUntil(call, TENANT)
    if (closedUntil === null) return call
    const waitMs = Math.max(SHORTEST_WAIT_MS, closedUntil - parts.now())
    await parts.sleep(Math.min(waitMs, Math.max(0, parts.until - parts.now())))
  }
  return null
}

function callOf({ name, kind, model, case: { input } }: Question, attempt: number): GatedCall {
  const tokens = kindOf(kind).inputTokens(input)
  const expectedTokens = tokens + Math.min(tokens, model.maxOutputTokens)
  return { jobId: name, attempt, model: model.id, expectedTokens }
}

type Outcome = { kind: 'completed' } | Extract<Attempt, { kind: 'failed' }>

async function attemptAt(
  question: Question,
  attempt: number,
  parts: AskParts,
): Promise<{ answer: Answer; outcome: Outcome }> {
  const { kind, model, case: one } = question
  const watched = watch(parts.provider)
  const startedAt = parts.now()
  const came = await attemptOf(question, attempt, { ...parts, provider: watched.provider })
  const latencyMs = parts.now() - startedAt
  const costMicroUsd = costOf(model, kindOf(kind).inputTokens(one.input), came)
  const facts = { attempts: attempt, costMicroUsd, empty: watched.gaveNothing() }
  if (came.kind === 'failed')
    return { answer: { ...facts, class: came.class, latencyMs: null, measure: null }, outcome: came }
  const measured = measure(kind, one, came.output)
  return {
    answer: { ...facts, class: null, latencyMs, measure: measured },
    outcome: { kind: 'completed' },
  }
}

/** The provider, and whether it gave an answer that says nothing: once checked, that is one bad answer like others. */
function watch(provider: Provider) {
  let gaveNothing = false
  const watched: Provider = {
    async run(request) {
      const attempt = await provider.run(request)
      gaveNothing = attempt.kind === 'completed' && isEmpty(attempt.output)
      return attempt
    },
  }
  return { provider: watched, gaveNothing: () => gaveNothing }
}

async function attemptOf(
  { name, kind, model, params, case: { input } }: Question,
  attempt: number,
  { provider, timeoutMs, stop }: AskParts,
): Promise<Attempt> {
  const request = {
    kind,
    model: model.id,
    input,
    params,
    audio: null,
    attempt,
    // A consumer that was killed has left nothing behind, and its successor asks under the same key.
    idempotencyKey: `${name}-${attempt - 1}`,
    traceparent: continueTrace(null, randomBytes),
  }
  try {
    return await callProvider(provider, request, timeoutMs, stop)
  } catch (error) {
    log('evaluation.run_failed', { question: name, attempt, error: errorName(error) })
    return failed('internal')
  }
}

function costOf(model: Model, inputTokens: number, { usage }: Attempt): number {
  if (usage === null) return 0
  if (usage === 'unknown') return estimateMicroUsd(model, inputTokens)
  return costMicroUsd(model, usage.inputTokens, usage.outputTokens)
}
