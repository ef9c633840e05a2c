/**
 * The batch side of OpenAI: a file of requests, a batch of it, and files of answers. It knows no key for a batch, so that ours
 * travels in the batch's metadata, by which it is found again when the answer to its creation was lost.
 */
import type OpenAI from 'openai'
import { APIError } from 'openai'
import { findModel } from '../../catalog/models.ts'
import type { FailureClass } from '../../openapi/job-words.ts'
import type {
  BatchProvider,
  ChunkCall,
  ChunkRead,
  ChunkRequest,
  Reconciled,
  Submitted,
  SubmittedChunk,
} from '../batch-provider.ts'
import { chunkFailed, ofChunk, readAgain, refused } from './batch/answers.ts'
import { isOf, outcomeOf } from './openai/batch-collect.ts'
import { cancel, create, deleteFiles, pages, retrieve, upload } from './openai/batch-http.ts'
import { inputFileFor } from './openai/batch-lines.ts'
import { failureOf } from './openai/failure.ts'
import { type Access, newClient } from './openai/http.ts'

export interface OpenAiBatchParts extends Access {
  /** No submission is older. */
  readonly since: number
}

/** The provider's clock may be this far from ours. */
const SKEW_MS = 3_600_000
/** Of a hundred batches each. */
const MOST_PAGES = 50

export function openaiBatch(parts: OpenAiBatchParts): BatchProvider {
  const client = newClient(parts)
  return {
    submit: (request) => submit(client, request, parts),
    read: (chunk) => read(client, chunk, parts),
    reconcile: (call) => reconcile(client, call, parts),
    async cancel(chunk) {
      await cancel(client, chunk.requestId, chunk).catch((error) => problem(error, chunk, parts))
    },
    async forget(chunk) {
      const batch = await retrieve(client, chunk.requestId, chunk).catch(() => null)
      if (!batch || !isOf(batch, chunk)) return
      await deleteFiles(client, [batch.input_file_id, batch.output_file_id, batch.error_file_id], chunk)
    },
  }
}

const modelOf = ({ model }: ChunkCall) => {
  const found = findModel(model)
  return found?.provider === 'openai' ? found : null
}

async function submit(client: OpenAI, request: ChunkRequest, access: Access): Promise<Submitted> {
  const model = modelOf(request)
  const file = model ? inputFileFor(model, request) : 'model_not_found'
  if (typeof file === 'string') return refused(file)
  try {
    const fileId = await upload(client, file.lines, request)
    return fileId ? await created(client, fileId, file.endpoint, request, access) : refused('invalid_output')
  } catch (error) {
    // A file alone does nothing, and expires.
    const { class: failure, retryAfterMs } = problem(error, request, access)
    return refused(ofChunk(failure), retryAfterMs)
  }
}

/** From here on it may have been taken, unless the provider says that it was not. */
async function created(
  client: OpenAI,
  fileId: string,
  endpoint: Parameters<typeof create>[2],
  request: ChunkRequest,
  access: Access,
): Promise<Submitted> {
  try {
    const batch = await create(client, fileId, endpoint, request)
    return batch ? { kind: 'accepted', requestId: batch.id } : { kind: 'unknown' }
  } catch (error) {
    const { class: failure, retryAfterMs } = problem(error, request, access)
    if (mayBeTaken(error, failure)) return { kind: 'unknown' }
    await deleteFiles(client, [fileId], request)
    return refused(ofChunk(failure), retryAfterMs)
  }
}

/** After a break of the connection or a server's fault; one that says that it is overloaded says that it did nothing. */
function mayBeTaken(error: unknown, failure: FailureClass): boolean {
  const status = statusOf(error)
  return failure === 'timeout' || (failure === 'provider_unavailable' && (status === null || status >= 500))
}

async function read(client: OpenAI, chunk: SubmittedChunk, access: Access): Promise<ChunkRead> {
  const model = modelOf(chunk)
  if (!model) return chunkFailed('model_not_found', null)
  try {
    const batch = await retrieve(client, chunk.requestId, chunk)
    if (!batch) return readAgain('openai', chunk, 'invalid_output')
    if (!isOf(batch, chunk)) return chunkFailed('invalid_output', 'unknown')
    const outcome = await outcomeOf(client, model, batch, chunk)
    if (outcome.kind !== 'pending') await deleteFiles(client, [batch.input_file_id], chunk)
    return outcome
  } catch (error) {
    const { class: failure } = problem(error, chunk, access)
    // It does not know the batch, or its files, any more: they will never be there.
    if (statusOf(error) === 404) return chunkFailed('provider_unavailable', 'unknown')
    return readAgain('openai', chunk, failure)
  }
}

async function reconcile(
  client: OpenAI,
  call: ChunkCall,
  { since, ...access }: OpenAiBatchParts,
): Promise<Reconciled> {
  let looked = 0
  try {
    for await (const batches of pages(client, call)) {
      const found = batches.find(({ metadata }) => metadata?.submission === call.key)
      if (found) return { kind: 'found', requestId: found.id }
      if (batches.every(({ created_at }) => created_at * 1000 < since - SKEW_MS)) return { kind: 'absent' }
      if (++looked >= MOST_PAGES) return { kind: 'unknowable' }
    }
    return { kind: 'absent' }
  } catch (error) {
    problem(error, call, access)
    return { kind: 'unknowable', later: true }
  }
}

const statusOf = (error: unknown): number | null =>
  error instanceof APIError && error.status !== undefined ? Number(error.status) : null

/** What the provider's exception means; a fault of ours, and the end of the time, are thrown on. */
function problem(error: unknown, { signal }: ChunkCall, { now }: Access) {
  signal.throwIfAborted()
  const failure = failureOf(error, now())
  if (failure?.kind !== 'failed') throw error
  return failure
}
