/** How soon a submission's `job.accepted` is at the receiver: single jobs at an even, modest pace. */
import { setTimeout as sleep } from 'node:timers/promises'
import { job } from '../accepting/job.ts'
import { monotonicMs } from '../support/clock.ts'
import type { Caller } from '../support/gateway.ts'
import type { Received, Receivers } from './receivers.ts'

const EVERY_MS = 50
const EVENTS_OF_A_JOB = 2
const TIMEOUT_MS = 30_000

export interface Round {
  /**
   * From sending off the submission's request until the receiver has the headers of the event's first attempt, for each job. A
   * webhook may overtake the 202, so counting from that would leave out what it is about.
   */
  readonly attemptMs: number[]
  /** From sending off the request until its 202. */
  readonly acceptMs: number[]
  readonly received: Received[]
}

interface Submission {
  readonly jobId: string
  readonly sentAt: number
  readonly acceptMs: number
}

/** Jobs of a tenant whose one listener answers at once and wants all events, for `durationMs`. */
export async function submitForAWhile(
  tenant: Caller,
  receivers: Receivers,
  durationMs: number,
): Promise<Round> {
  const before = (await receivers.counts()).quick
  const submissions = await submitEvenly(tenant, Math.round(durationMs / EVERY_MS))
  await receivers.waitFor('quick', before + submissions.length * EVENTS_OF_A_JOB, TIMEOUT_MS)
  const received = await receivers.take()
  const firsts = firstAttempts(received)
  return {
    attemptMs: submissions.map(({ jobId, sentAt }) => arrivalOf(jobId, firsts) - sentAt),
    acceptMs: submissions.map(({ acceptMs }) => acceptMs),
    received,
  }
}

/** Sends at the times planned, whatever the answers take: who waits for the slow ones measures few of them. */
async function submitEvenly(tenant: Caller, jobs: number): Promise<Submission[]> {
  const startedAt = monotonicMs()
  const underWay: Promise<Submission>[] = []
  for (let at = 0; at < jobs; at++) {
    await sleep(Math.max(0, startedAt + at * EVERY_MS - monotonicMs()))
    underWay.push(submit(tenant))
  }
  return Promise.all(underWay)
}

async function submit(tenant: Caller): Promise<Submission> {
  const sentAt = monotonicMs()
  const { id } = await tenant.post<{ id: string }>('/v1/jobs', job)
  return { jobId: id, sentAt, acceptMs: monotonicMs() - sentAt }
}

/** When the first attempt at each job's `job.accepted` came. */
function firstAttempts(received: readonly Received[]): Map<string, number> {
  const firsts = new Map<string, number>()
  for (const { text, at } of received) {
    const { type, data } = JSON.parse(text) as { type: string; data: { id: string } }
    if (type === 'job.accepted') firsts.set(data.id, Math.min(at, firsts.get(data.id) ?? at))
  }
  return firsts
}

function arrivalOf(jobId: string, firsts: Map<string, number>): number {
  const at = firsts.get(jobId)
  if (at === undefined) throw new Error(`${jobId}: job.accepted did not come.`)
  return at
}
