/** What Workers AI says of a batch, understood. What has no shape that is known is never a success. */
import { z } from '@hono/zod-openapi'
import type { FailureClass } from '../../../openapi/job-words.ts'
import type { ChunkRead } from '../../batch-provider.ts'
import { type Attempt, failed } from '../../provider.ts'
import { Count, unusable } from '../answer.ts'
import { answerOf, chunkFailed, type ItemAttempt, usageOf } from '../batch/answers.ts'
import { classOfCode } from './failure.ts'
import { joined, type Part } from './parts.ts'

const Answer = z.object({
  status: z.string().nullish(),
  request_id: z.string().nullish(),
  responses: z.array(z.unknown()).nullish(),
  usage: z
    .object({ prompt_tokens: Count, completion_tokens: Count.default(0) })
    .nullish()
    .catch(null),
})

/** No word for these is documented; should one come, waiting on would be for nothing. */
const endings = new Map<string, FailureClass>([
  ['failed', 'provider_unavailable'],
  ['error', 'provider_unavailable'],
  ['errored', 'provider_unavailable'],
  ['expired', 'provider_unavailable'],
  ['cancelled', 'provider_unavailable'],
  ['canceled', 'provider_unavailable'],
  // Finished, with nothing to show for it.
  ['completed', 'invalid_output'],
  ['complete', 'invalid_output'],
  ['succeeded', 'invalid_output'],
])

/**
 * The documented finished answer has no status. Any word beside it that is not known is taken for a state in between, unless
 * everything is there: the watchdog and the deadline end what never ends, while a chunk that is given up too early is paid for twice.
 * Answers say nothing without the requests, `sentParts`.
 */
export async function readingOf(
  answer: unknown,
  requestId: string,
  sentParts: () => Promise<readonly Part[] | FailureClass>,
): Promise<ChunkRead> {
  const parsed = Answer.safeParse(answer)
  if (!parsed.success) return chunkFailed('invalid_output', 'unknown')
  const { status, request_id, responses, usage } = parsed.data
  if (request_id && request_id !== requestId) return chunkFailed('invalid_output', 'unknown')
  const ending = status ? endings.get(status.toLowerCase()) : 'invalid_output'
  if (!responses) return ending ? chunkFailed(ending, 'unknown') : { kind: 'pending' }
  const parts = await sentParts()
  if (typeof parts === 'string') return chunkFailed(parts, 'unknown')
  if (!ending && responses.length < parts.length) return { kind: 'pending' }
  const answered = answersOf(responses, parts)
  const counted = usage && { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens }
  const answers = answered.map(({ answer: one }) => one)
  return { kind: 'done', answers, usage: counted ?? usageOf(answered), modelVersion: null }
}

const Response = z.object({
  id: z.int().min(0).nullable().catch(null),
  external_reference: z.string().nullable().catch(null),
  success: z.unknown().optional(),
  result: z.unknown().optional(),
  errors: z.unknown().optional(),
})
const nothing: z.infer<typeof Response> = { id: null, external_reference: null }

/** One request's answer: which item it says it is of, and what came of it. */
interface Said {
  /** Null where it says only its place. */
  readonly reference: string | null
  readonly index: number | null
  readonly attempt: Attempt
  /** A success by its own word, with nothing in it. */
  readonly empty: boolean
}

/** The answers to the parts of one item: for each part those that came, more than one where it came more than once. */
type Gathered = Said[][]

/** Those with a reference and those without one apart: whether a place counts for a reference is for the verification to say. */
export function answersOf(responses: readonly unknown[], parts: readonly Part[]): ItemAttempt[] {
  const byReference = new Map(parts.map((part) => [part.reference, part]))
  const [named, nameless] = [new Map<number, Gathered>(), new Map<number, Gathered>()]
  const strangers: ItemAttempt[] = []
  for (const response of responses) {
    const { id, external_reference: reference, ...rest } = Response.safeParse(response).data ?? nothing
    const part = reference === null ? parts[id ?? -1] : byReference.get(reference)
    // Beyond the last request, it is beyond the last item too.
    const index = id === null ? null : (parts[id]?.item ?? id)
    const said = { reference, index, ...attemptOf(rest, part) }
    if (part) placeOf(reference === null ? nameless : named, part).push(said)
    else strangers.push(answerOf(reference, index, said.attempt))
  }
  const known = [...named, ...nameless].flatMap(([item, answers]) => together(item, answers))
  return [...known, ...strangers]
}

function placeOf(gathered: Map<number, Gathered>, { item, part, parts }: Part): Said[] {
  const answers = gathered.get(item) ?? Array.from({ length: parts }, () => [])
  gathered.set(item, answers)
  return answers[part] ?? []
}

/** One answer where each part came once; none while one is missing; what came again stands beside it. */
function together(item: number, answers: Gathered): ItemAttempt[] {
  const reference = answers.flat()[0]?.reference?.split('.')[0] ?? null
  const firsts = answers.flatMap(([first]) => (first ? [first] : []))
  const index = (firsts.find((said) => said.index !== item) ?? firsts[0])?.index ?? null
  const again = answers
    .flatMap((all) => all.slice(1))
    .map((said) => answerOf(reference, said.index, said.attempt))
  if (firsts.length < answers.length) return again
  const whole = answerOf(reference, index, joined(firsts.map(({ attempt }) => attempt)))
  return [firsts.every(({ empty }) => empty) ? emptied(whole) : whole, ...again]
}

/** So that the verification can name what was wrong with it. */
const emptied = ({ answer: { reference, index, usage: counted }, usage }: ItemAttempt): ItemAttempt => ({
  answer: { reference, index, kind: 'completed', output: null, usage: counted },
  usage,
})

function attemptOf(
  { success, result, errors }: Pick<z.infer<typeof Response>, 'success' | 'result' | 'errors'>,
  part?: Part,
): Pick<Said, 'attempt' | 'empty'> {
  if (success !== true) return { attempt: failed(classOfCode(errors) ?? 'invalid_output'), empty: false }
  const inner = innerOf(result)
  return { attempt: part?.read(inner) ?? unusable('unknown'), empty: isEmpty(inner) }
}

/** Both nestings are documented. */
function innerOf(result: unknown): unknown {
  const nested = z.object({ result: z.union([z.looseObject({}), z.string()]) }).safeParse(result)
  return nested.success ? nested.data.result : result
}

/** Nothing, or one of the platform's forms around nothing. */
function isEmpty(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return isBlank(result)
  if ('response' in result) return isBlank(result.response)
  return isBlank('data' in result ? result.data : result)
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === null || value === undefined
}
