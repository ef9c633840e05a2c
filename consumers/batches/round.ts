/**
 * What one round of a batch's Workflow does of all that there is to do, and how long it waits afterwards. Pure: what the ledger said,
 * and what earlier rounds came to, in; a list of steps out. A round is short, so that what has become due meanwhile is not kept waiting
 * by what takes long.
 */
import type { Look } from '../../ledger/batches/protocol.ts'

export type Work = Extract<Look, { kind: 'work' }>

/** Chunks that are sent, opened or gathered in a round: each takes its time, one after the other. */
const IN_A_ROUND = 4
/** Chunks that are looked at in a round, some at a time. */
const POLLED_IN_A_ROUND = 16
/** A round that came to nothing is not repeated at once. */
const REST_MS = 500
/** Nothing is put off for longer: what is waited for may have come sooner. */
const LONGEST_REST_MS = 30_000

/** Chunks that need not be tried before a time. */
export type PutOff = ReadonlyMap<number, number>

export interface Round {
  readonly poll: number[]
  readonly gather: number[]
  readonly callOff: number[]
  readonly submit: number[]
  readonly open: number[]
  /** How long to wait where the round brings nothing on. */
  readonly restMs: number
}

export function roundOf(work: Work, putOff: PutOff, now: number): Round {
  const ready = work.submit.filter((chunk) => (putOff.get(chunk) ?? 0) <= now)
  return {
    poll: work.poll.slice(0, POLLED_IN_A_ROUND),
    gather: work.gather.slice(0, IN_A_ROUND),
    callOff: work.callOff,
    submit: ready.slice(0, IN_A_ROUND),
    open: work.open.slice(0, IN_A_ROUND),
    restMs: work.waitMs ?? restMs(work.submit, putOff, now),
  }
}

function restMs(waiting: readonly number[], putOff: PutOff, now: number): number {
  const rests = waiting.map((chunk) => (putOff.get(chunk) ?? now) - now)
  return rests.length > 0 ? Math.max(REST_MS, Math.min(LONGEST_REST_MS, ...rests)) : REST_MS
}

export const isIdle = ({ poll, gather, callOff, submit, open }: Round) =>
  [poll, gather, callOff, submit, open].every((chunks) => chunks.length === 0)
