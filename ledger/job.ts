/**
 * The life of a job. Pure: no I/O and no clock. One table; nothing else changes a status.
 *
 *   accepted ──claim──▶ running ──succeed──▶ succeeded
 *      │                 │  ▲ └────fail────▶ failed       (also from accepted and retrying: deadline)
 *      │        retry, lose claim
 *      │                 ▼  │
 *      └──cancel──▶   retrying ──cancel──▶ cancelled      (from every unfinished state)
 *
 * An attempt whose lease was lost may still settle from `retrying`, until a newer claim exists.
 */
import type { FailureClass, JobStatus, Priority } from '../openapi/jobs.ts'
import type { FailureCounts } from './judge.ts'

export interface JobState {
  readonly status: JobStatus
  /** Claims so far; the fence of every settlement. */
  readonly attempt: number
  /** The last attempt that settled; smaller than `attempt` while one is out, or was lost. */
  readonly settledAttempt: number
  readonly lostLeases: number
  readonly failures: FailureCounts
  readonly startedAt: number | null
  readonly retentionSeconds: number
  readonly version: number
}

export type JobEvent =
  | { type: 'claim'; claimId: string; leaseMs: number }
  | { type: 'lose' }
  | { type: 'retry'; class: FailureClass; delayMs: number }
  | { type: 'succeed' }
  | { type: 'fail'; class: FailureClass }
  | { type: 'cancel' }

type EventType = JobEvent['type']

const transitions: Record<JobStatus, Partial<Record<EventType, JobStatus>>> = {
  accepted: { claim: 'running', fail: 'failed', cancel: 'cancelled' },
  running: { retry: 'retrying', lose: 'retrying', succeed: 'succeeded', fail: 'failed', cancel: 'cancelled' },
  retrying: {
    claim: 'running',
    retry: 'retrying',
    succeed: 'succeeded',
    fail: 'failed',
    cancel: 'cancelled',
  },
  succeeded: {},
  failed: {},
  cancelled: {},
}

export const isTerminal = (status: JobStatus) => Object.keys(transitions[status]).length === 0

/** Whether this attempt may still settle the job: it is the one on record, and has not settled yet. */
export const maySettle = (job: JobState, attempt: number) =>
  !isTerminal(job.status) && job.attempt === attempt && job.settledAttempt < attempt

export interface JobPatch {
  status: JobStatus
  version: number
  /** When the job next needs attention (see the schema); null once it is terminal. */
  dueAt: number | null
  attempt?: number
  settledAttempt?: number
  lostLeases?: number
  failures?: FailureCounts
  claimId?: string
  startedAt?: number
  lastAttemptAt?: number
  finishedAt?: number
  contentExpiresAt?: number
  lastErrorClass?: FailureClass
  errorClass?: FailureClass
}

/** The change that an event makes, or null where the table has no such move: it came too late, or twice. */
export function advance(job: JobState, event: JobEvent, now: number): JobPatch | null {
  const status = transitions[job.status][event.type]
  return status ? { status, version: job.version + 1, ...effectOf(job, event, now) } : null
}

function effectOf(job: JobState, event: JobEvent, now: number): Omit<JobPatch, 'status' | 'version'> {
  switch (event.type) {
    case 'claim':
      return {
        attempt: job.attempt + 1,
        claimId: event.claimId,
        dueAt: now + event.leaseMs,
        startedAt: job.startedAt ?? now,
        lastAttemptAt: now,
      }
    case 'lose':
      return { lostLeases: job.lostLeases + 1, dueAt: now }
    case 'retry':
      return { settledAttempt: job.attempt, dueAt: now + event.delayMs, ...counted(job, event.class) }
    case 'succeed':
      return { settledAttempt: job.attempt, ...ended(job, now) }
    case 'fail':
      return { settledAttempt: job.attempt, errorClass: event.class, ...ended(job, now) }
    case 'cancel':
      return ended(job, now)
  }
}

const ended = (job: JobState, now: number) => ({
  dueAt: null,
  finishedAt: now,
  contentExpiresAt: now + job.retentionSeconds * 1000,
})

const counted = ({ failures }: JobState, failed: FailureClass) => ({
  failures: { ...failures, [failed]: (failures[failed] ?? 0) + 1 },
  lastErrorClass: failed,
})

/**
 * How far a priority moves a job in the order of release, in milliseconds of waiting. A fixed shift of the time of acceptance is
 * ageing: everything grows older at one pace, so nothing waits behind later arrivals for longer than its shift.
 */
const shifts: Record<Priority, number> = { high: -600_000, normal: 0, low: 3_600_000 }

export const releaseRank = (acceptedAt: number, priority: Priority) => acceptedAt + shifts[priority]
