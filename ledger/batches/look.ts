/** What is to be done for a batch now. Pure: the batch's chunks, limits and the moment in, a list of work out. */
import type { Backoff } from '../judge.ts'
import { ROOM_WAIT_MS } from './backlog.ts'
import { awaitsGathering, type ChunkRow, pendingIn } from './chunks.ts'
import type { Look } from './protocol.ts'
import type { BatchRow } from './rows.ts'

export type LookedAt = Pick<
  ChunkRow,
  | 'chunk'
  | 'state'
  | 'path'
  | 'dueAt'
  | 'callOffs'
  | 'contentDeletedAt'
  | 'items'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'expired'
> & {
  /** Its model and confidentiality are allowed as catalog and deployment stand. */
  readonly allowed: boolean
}

export interface LookLimits {
  /** Chunks that the tenant may have out beside those that are. */
  readonly freePlaces: number
  /** Jobs of items may be opened. */
  readonly hasRoomForItems: boolean
  /** The tenant is suspended: nothing new is sent. */
  readonly suspended: boolean
  /** Nothing is waited for longer than this. */
  readonly longestWaitMs: number
}

type Work = Omit<Extract<Look, { kind: 'work' }>, 'model'>

export function look(chunks: readonly LookedAt[], limits: LookLimits, now: number): Work {
  const { submit, poll, open } = limits.suspended ? heldBack(chunks, now) : toSend(chunks, limits, now)
  const work = {
    submit,
    poll,
    open,
    gather: numbers(chunks.filter(awaitsGathering)),
    callOff: numbers(chunks.filter(({ callOffs }) => callOffs > 0)),
  }
  const busy = Object.values(work).some((some) => some.length > 0)
  return { kind: 'work', ...work, waitMs: busy ? null : waitFor(chunks, limits, now) }
}

const numbers = (chunks: readonly LookedAt[]) => chunks.map(({ chunk }) => chunk)
const isDue = ({ dueAt }: LookedAt, now: number) => (dueAt ?? 0) <= now

/** What began is finished whatever the limits: its outcome must become known. */
const toReconcile = (chunks: readonly LookedAt[]) =>
  chunks.filter(({ path, state }) => path === 'batch' && state === 'submitting')

const toPoll = (chunks: readonly LookedAt[], now: number) =>
  numbers(
    chunks.filter((chunk) => chunk.path === 'batch' && chunk.state === 'submitted' && isDue(chunk, now)),
  )

const heldBack = (chunks: readonly LookedAt[], now: number) => ({
  submit: numbers(toReconcile(chunks)),
  poll: toPoll(chunks, now),
  open: [],
})

/** Its items run as jobs, and have not all got one. */
const awaitsJobs = (chunk: LookedAt) =>
  chunk.path === 'jobs' &&
  (chunk.state === 'planned' || chunk.state === 'submitting') &&
  pendingIn(chunk) > 0 &&
  chunk.allowed

function toSend(chunks: readonly LookedAt[], { freePlaces, hasRoomForItems }: LookLimits, now: number) {
  const waiting = chunks.filter((chunk) => chunk.state === 'planned' && chunk.allowed && isDue(chunk, now))
  const fresh = waiting.filter(({ path }) => path === 'batch').slice(0, Math.max(0, freePlaces))
  return {
    submit: numbers([...toReconcile(chunks), ...fresh]),
    poll: toPoll(chunks, now),
    open: hasRoomForItems ? numbers(chunks.filter(awaitsJobs)) : [],
  }
}

/** Until the next chunk is due; what waits for something else is woken, or found at the next look. */
function waitFor(chunks: readonly LookedAt[], limits: LookLimits, now: number): number {
  const forRoom = !limits.suspended && chunks.some(awaitsJobs) ? [ROOM_WAIT_MS] : []
  const due = chunks.flatMap(({ dueAt, state }) =>
    dueAt !== null && dueAt > now && (state === 'planned' || state === 'submitted') ? [dueAt - now] : [],
  )
  return Math.min(limits.longestWaitMs, ...forRoom, ...due)
}

/** How long until the next look at what a provider makes of a chunk: growing, up to the cap, and never the same for all. */
export function pollDelayMs(polls: number, { baseMs, capMs }: Backoff, random: () => number): number {
  const ceiling = Math.min(capMs, baseMs * 1.5 ** polls)
  return Math.round(ceiling * (0.5 + random() / 2))
}

/** What runs singly has until twice the deadline. */
export const lastDeadlineOf = ({ createdAt, deadlineAt }: Pick<BatchRow, 'createdAt' | 'deadlineAt'>) =>
  deadlineAt + (deadlineAt - createdAt)

/** What the deadline means for what has no result yet. */
export type DeadlineFate =
  | 'none'
  /** What is at the provider, or was to go there, expires; what runs singly has its time left. */
  | 'expire'
  /** It runs singly from now on. */
  | 'run_individually'
  /** Everything expires. */
  | 'over'

export function fateOf(
  batch: Pick<BatchRow, 'createdAt' | 'deadlineAt' | 'onDeadline'>,
  now: number,
): DeadlineFate {
  if (now < batch.deadlineAt) return 'none'
  return now >= lastDeadlineOf(batch) ? 'over' : batch.onDeadline
}
