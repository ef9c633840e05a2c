/** What Workers AI says of a batch, understood. What has no shape that is known is never a success. */
import { z } from '@hono/zod-openapi'
import type { FailureClass } from '../../../openapi/jobs.ts'
import type { ChunkRead, SubmittedChunk } from '../../batch-provider.ts'
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
const endings: Record<string, FailureClass> = {
  failed: 'provider_unavailable',
  error: 'provider_unavailable',
  errored: 'provider_unavailable',
  expired: 'provider_unavailable',
  cancelled: 'provider_unavailable',
  canceled: 'provider_unavailable',
  /** Finished, with nothing to show for it. */
  completed: 'invalid_output',
  complete: 'invalid_output',
  succeeded: 'invalid_output',
}

/**
 * The documented finished answer has no status. Any word beside it that is not known is taken for a state in between, unless
 * everything is there: the watchdog and the deadline end what never ends, while a chunk that is given up too early is paid for twice.
 */
export function readingOf(answer: unknown, { requestId }: SubmittedChunk, parts: readonly Part[]): ChunkRead {
  const parsed = Answer.safeParse(answer)
  if (!parsed.success) return chunkFailed('invalid_output', 'unknown')
  const { status, request_id, responses, usage } = parsed.data
  if (request_id && request_id !== requestId) return chunkFailed('invalid_output', 'unknown')
  const ending = status ? endings[status.toLowerCase()] : 'invalid_output'
  if (responses && (ending || responses.length >= parts.length)) {
    const answered = answersOf(responses, parts)
    const counted = usage && { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens }
    const answers = answered.map(({ answer: one }) => one)
    return { kind: 'done', answers, usage: counted ?? usageOf(answered), modelVersion: null }
  }
  return ending ? chunkFailed(ending, 'unknown') : { kind: 'pending' }
}

const Response = z.object({
  id: z.unknown().optional(),
  external_reference: z.unknown().optional(),
  success: z.unknown().optional(),
  result: z.unknown().optional(),
  errors: z.unknown().optional(),
})

/** One request's answer: which item it says it is of, and what came of it. */
interface Said {
  readonly reference: string | null
  readonly index: number | null
  readonly attempt: Attempt
}

/** The answers to the parts of one item: for each part those that came, more than one where it came more than once. */
type Gathered = Said[][]

export function answersOf(responses: readonly unknown[], parts: readonly Part[]): ItemAttempt[] {
  const byReference = new Map(parts.map((part) => [part.reference, part]))
  const gathered = new Map<number, Gathered>()
  const strangers: ItemAttempt[] = []
  for (const response of responses) {
    const said = saidBy(response, byReference, parts)
    const part = byReference.get(said.reference ?? '')
    if (!part) strangers.push(answerOf(said.reference, said.index, said.attempt))
    else placeOf(gathered, part).push(said)
  }
  const known = [...gathered].flatMap(([item, answers]) => together(item, answers))
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
  return [answerOf(reference, index, joined(firsts.map(({ attempt }) => attempt))), ...again]
}

function saidBy(response: unknown, byReference: ReadonlyMap<string, Part>, parts: readonly Part[]): Said {
  const { id, external_reference, ...rest } = Response.safeParse(response).data ?? {}
  const reference = typeof external_reference === 'string' ? external_reference : null
  const place = typeof id === 'number' && Number.isInteger(id) ? id : null
  // Beyond the last request, it is beyond the last item too.
  const index = place === null ? null : (parts[place]?.item ?? place)
  return { reference, index, attempt: attemptOf(rest, byReference.get(reference ?? '')) }
}

function attemptOf({ success, result, errors }: Partial<z.infer<typeof Response>>, part?: Part): Attempt {
  if (success !== true) return failed(classOfCode(errors) ?? 'invalid_output')
  return part ? part.read(innerOf(result)) : unusable('unknown')
}

/** Both nestings are documented. */
function innerOf(result: unknown): unknown {
  const nested = z.object({ result: z.union([z.looseObject({}), z.string()]) }).safeParse(result)
  return nested.success ? nested.data.result : result
}
