/**
 * What one round of a batch's Workflow does of all that there is to do, and how long it waits afterwards. Pure: what the ledger said,
 * and how submissions stand, in; a list of steps out. A round is short, so that what has become due meanwhile is not kept waiting by
 * what takes long.
 */
import type { Look } from '../../ledger/batches/protocol.ts'
import type { Standing } from './under-way.ts'

export type Work = Extract<Look, { kind: 'work' }>

/** Chunks that are opened or gathered in a round: each takes its time, one after the other. */
const IN_A_ROUND = 4
/** Chunks that are on their way to the provider at once. */
const UNDER_WAY = 4
/** Chunks that are looked at in a round, some at a time. */
const POLLED_IN_A_ROUND = 16
/** So often is looked at the rest of the batch while submissions are under way, at the least. */
const BESIDE_MS = 2000
/** A round that came to nothing is not repeated at once. */
const REST_MS = 500
/** Nothing is put off for longer: what is waited for may have come sooner. */
const LONGEST_REST_MS = 30_000

export interface Round {
  readonly poll: number[]
  readonly gather: number[]
  readonly callOff: number[]
  /** To be begun: a round does not wait for them. */
  readonly submit: number[]
  readonly open: number[]
  /** Submissions are under way: a round that brings nothing on waits until one has ended. */
  readonly beside: boolean
  /** How long to wait, at the longest, where the round brings nothing on. */
  readonly restMs: number
}

export function roundOf(work: Work, { underWay, putOff }: Standing, now: number): Round {
  const waiting = work.submit.filter((chunk) => !underWay.includes(chunk))
  const notBefore = new Map(putOff)
  const ready = waiting.filter((chunk) => (notBefore.get(chunk) ?? 0) <= now)
  const submit = ready.slice(0, Math.max(0, UNDER_WAY - underWay.length))
  const beside = underWay.length + submit.length > 0
  return {
    poll: work.poll.slice(0, POLLED_IN_A_ROUND),
    gather: work.gather.slice(0, IN_A_ROUND),
    callOff: work.callOff,
    submit,
    open: work.open.slice(0, IN_A_ROUND),
    beside,
    restMs: beside ? BESIDE_MS : (work.waitMs ?? restMs(waiting, notBefore, now)),
  }
}

function restMs(waiting: readonly number[], notBefore: ReadonlyMap<number, number>, now: number): number {
  const rests = waiting.map((chunk) => (notBefore.get(chunk) ?? now) - now)
  return rests.length > 0 ? Math.max(REST_MS, Math.min(LONGEST_REST_MS, ...rests)) : REST_MS
}

export const isIdle = ({ poll, gather, callOff, submit, open }: Round) =>
  [poll, gather, callOff, submit, open].every((chunks) => chunks.length === 0)
