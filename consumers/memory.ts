/**
 * What content may take of an isolate's 128 MB, for all that runs in it side by side. Budgets are in bytes of content as it is
 * stored: it is held as bytes, as text and as values, by some providers several times over, and there is more than content.
 */
import { MAX_ANSWER_BYTES } from '../ledger/batches/plan.ts'
import { ByteBudget } from './byte-budget.ts'

const MEBIBYTE = 1024 * 1024

/** Files of jobs. */
export const fileBytes = new ByteBudget(16 * MEBIBYTE, Date.now)

/** Chunks of batches, and their answers: two as large as are planned, with what they answer. */
export const CHUNK_BYTES = 2 * (MAX_ANSWER_BYTES + MEBIBYTE)
const chunkBytes = new ByteBudget(CHUNK_BYTES, Date.now)
/** Those that are on their way to a provider, which may hang: the other half is for answers, so that none waits for it. */
const MOST_SENT = CHUNK_BYTES / 2
const sentBytes = new ByteBudget(MOST_SENT, Date.now)

/** Waiting for memory, and having it. */
const LONGEST_MS = 10 * 60_000

/** Memory for a chunk that is sent, while the body runs. Rejects where there is none for long. */
export function whileSending<T>(bytes: number, body: () => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(LONGEST_MS)
  const inAll = () => chunkBytes.hold(Math.min(bytes, MOST_SENT), LONGEST_MS, signal, body)
  // In this order: who has its part of all does not wait for more.
  return sentBytes.hold(bytes, LONGEST_MS, signal, inAll)
}

/** Memory for a chunk and its answer, until what is returned is called. */
export const forAnswer = (bytes: number, signal: AbortSignal): Promise<() => void> =>
  chunkBytes.take(bytes, LONGEST_MS, signal)
