/**
 * The batch side of Workers AI. It knows neither key nor list nor cancel: what became of a submission whose answer was lost nobody can
 * find out, so it is told as unknown and never sent again by itself.
 */
import { findModel } from '../../catalog/models.ts'
import type {
  BatchProvider,
  ChunkCall,
  ChunkRead,
  ChunkRequest,
  Submitted,
  SubmittedChunk,
  TakenChunk,
} from '../batch-provider.ts'
import { orAborted } from '../or-aborted.ts'
import { nameOf } from './answer.ts'
import { chunkFailed, ofChunk, readAgain, refused } from './batch/answers.ts'
import { type Ai, asking, platformNames, Refused } from './workers-ai/binding.ts'
import { classOf, classOfCode, codeOf } from './workers-ai/failure.ts'
import { partsOf } from './workers-ai/parts.ts'
import { readingOf } from './workers-ai/reading.ts'

export function workersAiBatch(ai: Ai): BatchProvider {
  const call: Ai['run'] = (name, input, options) =>
    asking(() => orAborted(ai.run(name, input, options), options.signal))
  return {
    submit: (request) => submit(call, request),
    read: (chunk) => read(call, chunk),
    reconcile: async () => ({ kind: 'unknowable' }),
    cancel: async () => undefined,
  }
}

async function submit(call: Ai['run'], request: ChunkRequest): Promise<Submitted> {
  const there = modelOf(request)
  if (!there) return refused('model_not_found')
  const parts = partsOf(there.model, request, request.items)
  if (typeof parts === 'string') return refused(parts)
  const requests = parts.map(({ reference, body }) => ({ ...body, external_reference: reference }))
  try {
    const answer = await call(there.name, { requests }, { queueRequest: true, signal: request.signal })
    const requestId = nameOf(requestIdOf(answer))
    // It may well have been taken, but without its ID it cannot be asked for.
    return requestId ? { kind: 'accepted', requestId } : { kind: 'unknown' }
  } catch (error) {
    return refusalOf(causeOf(error, request.signal))
  }
}

async function read(call: Ai['run'], chunk: SubmittedChunk): Promise<ChunkRead> {
  const there = modelOf(chunk)
  if (!there) return chunkFailed('model_not_found', null)
  const { requestId, signal } = chunk
  const sentParts = async () => partsOf(there.model, chunk, await chunk.inputs())
  try {
    const answer = await call(there.name, { request_id: requestId }, { signal })
    return await readingOf(answer, requestId, sentParts)
  } catch (error) {
    return unreadable(causeOf(error, signal), chunk)
  }
}

/** A request ID says nothing without its model. */
function modelOf({ model: id }: ChunkCall) {
  const model = findModel(id)
  const name = platformNames[id]
  return model && name !== undefined ? { model, name } : null
}

const requestIdOf = (answer: unknown): string | null => {
  const id = typeof answer === 'object' && answer && 'request_id' in answer ? answer.request_id : null
  return typeof id === 'string' ? id : null
}

/** What the binding threw; a fault of ours, and the end of the time, are thrown on. */
function causeOf(error: unknown, signal: AbortSignal): unknown {
  signal.throwIfAborted()
  if (!(error instanceof Refused)) throw error
  return error.cause
}

/**
 * Only what is known to be a refusal was not taken. After anything else, a code that nobody knows as well as none, it may have been: to
 * send it again could pay twice, and whether it arrived is for operators to find out.
 */
function refusalOf(cause: unknown): Submitted {
  const known = cause instanceof Error ? classOfCode(cause.message) : null
  return known === null || known === 'timeout' ? { kind: 'unknown' } : refused(ofChunk(known))
}

const codeIn = (cause: unknown) => (cause instanceof Error ? codeOf(cause.message) : null)

/**
 * What the platform may get over by itself says nothing about the batch; what it does not know any more will never be there. What it
 * finds wrong with our question, or says is too large, no customer can mend: the chunk stays out, and counts as stalled in time, since to
 * send it again would pay for it again.
 */
function unreadable(cause: unknown, chunk: TakenChunk): ChunkRead {
  if (isGone(cause, chunk)) return chunkFailed('provider_unavailable', 'unknown')
  const failure = classOf(cause)
  return failure === 'model_not_found'
    ? chunkFailed(failure, 'unknown')
    : readAgain('workers-ai', chunk, failure)
}

/** Only where it says so of the request itself: a name or a route that was not found is the way that failed. */
const isGone = (cause: unknown, { requestId }: TakenChunk) =>
  codeIn(cause) === '404' ||
  (cause instanceof Error && requestNotFound.test(cause.message.replaceAll(requestId, ' ')))

const requestNotFound = /^(?:[A-Za-z]*Error: )*request(?:[ _]id)?[\s"'`:]+(?:was )?not found\b/i
