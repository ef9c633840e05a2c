/**
 * The batch side of Workers AI. It knows neither key nor list nor cancel: what became of a submission whose answer was lost nobody can
 * find out, so it is told as unknown and never sent again by itself.
 */
import { findModel } from '../../catalog/models.ts'
import type { BatchProvider, ChunkRead, ChunkRequest, Submitted, SubmittedChunk } from '../batch-provider.ts'
import { orAborted } from '../or-aborted.ts'
import { nameOf } from './answer.ts'
import { chunkFailed, readAgain, refused } from './batch/answers.ts'
import { type Ai, asking, platformNames, Refused } from './workers-ai/binding.ts'
import { classOf, codeOf } from './workers-ai/failure.ts'
import { partsOf } from './workers-ai/parts.ts'
import { readingOf } from './workers-ai/reading.ts'

export function workersAiBatch(ai: Ai): BatchProvider {
  const call: Ai['run'] = (name, input, options) =>
    asking(() => orAborted(ai.run(name, input, options), options.signal))
  return {
    async submit(request) {
      const [name, parts] = sentAs(request)
      if (typeof parts === 'string') return refused(parts)
      const input = {
        requests: parts.map(({ reference, body }) => ({ ...body, external_reference: reference })),
      }
      try {
        const answer = await call(name, input, { queueRequest: true, signal: request.signal })
        const requestId = nameOf(requestIdOf(answer))
        // It may well have been taken, but without its ID it cannot be asked for.
        return requestId ? { kind: 'accepted', requestId } : { kind: 'unknown' }
      } catch (error) {
        return refusalOf(causeOf(error, request.signal))
      }
    },

    async read(chunk) {
      const [name, parts] = sentAs(chunk)
      if (typeof parts === 'string') return chunkFailed(parts, null)
      const { requestId, signal } = chunk
      try {
        return readingOf(await call(name, { request_id: requestId }, { signal }), chunk, parts)
      } catch (error) {
        return unreadable(causeOf(error, signal), chunk)
      }
    },

    reconcile: async () => ({ kind: 'unknowable' }),
    cancel: async () => undefined,
  }
}

/** A request ID says nothing without its model, and its answers nothing without the requests. */
function sentAs(request: ChunkRequest): readonly [string, ReturnType<typeof partsOf>] {
  const model = findModel(request.model)
  const name = platformNames[request.model]
  return model && name !== undefined ? [name, partsOf(model, request)] : ['', 'model_not_found']
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

/** Without a code of the platform's own it is the way that failed, on which a submission may have arrived. */
function refusalOf(cause: unknown): Submitted {
  const failure = classOf(cause)
  const code = codeIn(cause)
  const mayHaveArrived = code === null || isOfTheWay.test(code) || failure === 'timeout'
  return mayHaveArrived ? { kind: 'unknown' } : refused(failure)
}

/** HTTP's own codes of a gateway that did not hear the end. */
const isOfTheWay = /^(?:408|5[0-9]{2})$/

const codeIn = (cause: unknown) => (cause instanceof Error ? codeOf(cause.message) : null)

/** What the platform may get over by itself says nothing about the batch; what it does not know any more will never be there. */
const lasting: ReadonlySet<string> = new Set(['invalid_input', 'input_too_large', 'model_not_found'])

function unreadable(cause: unknown, chunk: SubmittedChunk): ChunkRead {
  const failure = isGone(cause) ? 'provider_unavailable' : classOf(cause)
  if (isGone(cause) || lasting.has(failure)) return chunkFailed(failure, 'unknown')
  return readAgain('workers-ai', chunk, failure)
}

const isGone = (cause: unknown) =>
  codeIn(cause) === '404' ||
  (codeIn(cause) === null && cause instanceof Error && /^[^<]*\bnot found\b/i.test(cause.message))
