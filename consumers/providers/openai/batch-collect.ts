/** What a batch at OpenAI has come to: its state in our words, and the answers in its two files. */
import type OpenAI from 'openai'
import type { Model } from '../../../catalog/models.ts'
import type { FailureClass } from '../../../openapi/job-words.ts'
import type { ChunkCall, ChunkRead, SubmittedChunk } from '../../batch-provider.ts'
import { failed } from '../../provider.ts'
import { answerOf, chunkFailed, type ItemAttempt, ofChunk, readAgain, usageOf } from '../batch/answers.ts'
import { type Batch, linesOf, TooLong } from './batch-http.ts'
import { lineReader } from './batch-lines.ts'
import { classOfCode } from './failure.ts'

/** Results are held in memory while they are checked. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * The states in which a batch has ended with results, by what its other items failed of. Null where it ran to its end: what is
 * missing then is missing. One that expired can be sent again; "time is up" is not our deadline but the provider's own.
 */
const ends: Record<string, FailureClass | null> = {
  completed: null,
  expired: 'timeout',
  cancelled: 'provider_unavailable',
}

/** By our key, which some servers may lose. */
export const isOf = ({ metadata }: Batch, { key }: ChunkCall) => (metadata?.submission ?? key) === key

/** A word that nobody knows is taken for a state in between: the watchdog and the deadline end what never ends. */
export async function outcomeOf(
  client: OpenAI,
  model: Model,
  batch: Batch,
  chunk: SubmittedChunk,
): Promise<ChunkRead> {
  if (batch.status === 'failed') return chunkFailed(ofChunk(classOfErrors(batch)), null)
  const rest = Object.hasOwn(ends, batch.status) ? ends[batch.status] : undefined
  return rest === undefined ? { kind: 'pending' } : collect(client, model, batch, chunk, rest)
}

/** It refused the file as a whole. What is wrong with that is ours to mend, unless it says otherwise. */
function classOfErrors({ errors }: Batch): FailureClass {
  const codes = errors?.data.map(({ code }) => code) ?? []
  const known = codes.map(classOfCode).find((one) => one !== undefined)
  return known ?? (codes.length > 0 ? 'internal' : 'provider_unavailable')
}

async function collect(
  client: OpenAI,
  model: Model,
  batch: Batch,
  chunk: SubmittedChunk,
  rest: FailureClass | null,
): Promise<ChunkRead> {
  const counted = batch.usage && {
    inputTokens: batch.usage.input_tokens,
    outputTokens: batch.usage.output_tokens,
  }
  const read = await readFiles(client, model, batch, chunk)
  if (read === null) return chunkFailed('invalid_output', counted ?? 'unknown')
  if (lacksFile(batch, read.length)) return readAgain('openai', chunk, 'invalid_output')
  if (read.length === 0 && rest) return chunkFailed(rest, counted ?? null)
  // Where it ran to its end without a line, every result is missing; what it did nobody knows.
  const answered = rest ? [...read, ...others(chunk, read, rest)] : read
  return {
    kind: 'done',
    answers: answered.map(({ answer }) => answer),
    usage: counted ?? (read.length === 0 ? 'unknown' : usageOf(answered)),
    modelVersion: read.find(({ modelVersion }) => modelVersion !== null)?.modelVersion ?? null,
  }
}

/** By its own word more was done than there is an answer to: a file is still to come, and until then nothing is missing. */
const lacksFile = ({ output_file_id, request_counts }: Batch, read: number) =>
  !output_file_id && read < (request_counts?.completed ?? 0)

/** Null where they are longer than any results could be. */
async function readFiles(client: OpenAI, model: Model, batch: Batch, chunk: SubmittedChunk) {
  const reader = lineReader(model, chunk, await chunk.inputs())
  const read: ReturnType<typeof reader>[] = []
  try {
    for (const fileId of [batch.output_file_id, batch.error_file_id])
      if (fileId) for await (const line of linesOf(client, fileId, MOST_BYTES, chunk)) read.push(reader(line))
    return read
  } catch (error) {
    if (error instanceof TooLong) return null
    throw error
  }
}

/** The items that were not run; most servers name them in the error file, so that these are few. */
function others(
  { references }: SubmittedChunk,
  read: readonly ItemAttempt[],
  rest: FailureClass,
): ItemAttempt[] {
  const there = new Set(read.map(({ answer }) => answer.reference))
  return references.flatMap((reference) =>
    there.has(reference) ? [] : [answerOf(reference, null, failed(rest))],
  )
}
