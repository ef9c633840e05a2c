/**
 * The life of a job. Pure: no I/O and no clock. One table; nothing else changes a status.
 *
 *   accepted ──claim──▶ running ──succeed──▶ succeeded
 *      ▲                 │  ▲ └─fail────────▶ failed        (abandoned in every unfinished state: deadline, lost leases)
 *      └────release──────┤  │
 *        retry, lose, release claim
 *                        ▼  │
 *                      retrying                              (cancelled in every unfinished state)
 *
 * An attempt whose lease was lost, or whose claim was given back by a second holder of it, may still settle until a newer claim exists.
 */
import type { FailureClass, JobStatus, Priority } from '../openapi/job-words.ts'
import type { FailureCounts } from './judge.ts'

export interface JobState {
  readonly status: JobStatus
  /** Claims so far; the fence of every settlement. */
  readonly attempt: number
  /** The last attempt that settled; smaller than `attempt` while one is out, or was lost. */
  readonly settledAttempt: number
  /** Claims that were given back before they ran, and the last of them. */
  readonly released: number
  readonly releasedAttempt: number
  readonly lostLeases: number
  readonly failures: FailureCounts
  /** Failures after which nobody knows what the provider did. */
  readonly unknownOutcomes: number
  readonly createdAt: number
  readonly startedAt: number | null
  readonly dueAt: number | null
  readonly priority: Priority
  readonly retentionSeconds: number
  readonly version: number
}

export type JobEvent =
  | { type: 'claim'; claimId: string; leaseMs: number }
  /** The claim is given back: the provider's limits let no call through. */
  | { type: 'release' }
  | { type: 'lose' }
  | { type: 'retry'; class: FailureClass; delayMs: number; unknown: boolean }
  | { type: 'succeed' }
  | { type: 'fail'; class: FailureClass }
  /** Given up without an outcome of an attempt. */
  | { type: 'abandon'; class: FailureClass }
  | { type: 'cancel' }

type EventType = JobEvent['type']

const settles = { retry: 'retrying', succeed: 'succeeded', fail: 'failed' } as const
const gives = { abandon: 'failed', cancel: 'cancelled' } as const

const transitions: Record<JobStatus, Partial<Record<EventType, JobStatus>>> = {
  accepted: { claim: 'running', ...settles, ...gives },
  running: { release: 'retrying', lose: 'retrying', ...settles, ...gives },
  retrying: { claim: 'running', ...settles, ...gives },
  succeeded: {},
  failed: {},
  cancelled: {},
}

export const isTerminal = (status: JobStatus) => Object.keys(transitions[status]).length === 0

/** Whether this attempt may still settle the job: it is the one on record, and has not settled yet. */
export const maySettle = (job: JobState, attempt: number) =>
  !isTerminal(job.status) && job.attempt === attempt && job.settledAttempt < attempt

/** Attempts that really were made. */
export const attemptsOf = ({ attempt, released }: Pick<JobState, 'attempt' | 'released'>) =>
  attempt - released

/** Whether an attempt is on its way that nobody has heard of since: it may have cost something. */
export const isOut = (job: Pick<JobState, 'attempt' | 'settledAttempt' | 'releasedAttempt'>) =>
  job.settledAttempt < job.attempt && job.releasedAttempt < job.attempt

export interface JobPatch {
  status: JobStatus
  version: number
  /** When the job next needs attention (see the schema); null once it is terminal. */
  dueAt: number | null
  attempt?: number
  settledAttempt?: number
  released?: number
  releasedAttempt?: number
  lostLeases?: number
  failures?: FailureCounts
  unknownOutcomes?: number
  claimId?: string
  startedAt?: number | null
  lastAttemptAt?: number | null
  finishedAt?: number
  bookBy?: number
  contentExpiresAt?: number
  lastErrorClass?: FailureClass
  errorClass?: FailureClass
}

/** The change that an event makes, or null where the table has no such move: it came too late, or twice. */
export function advance(job: JobState, event: JobEvent, now: number): JobPatch | null {
  const status = transitions[job.status][event.type]
  return status ? { status, version: job.version + 1, ...effectOf(job, event, now) } : null
}

type Effect = Omit<JobPatch, 'status' | 'version'> & { status?: JobStatus }

function effectOf(job: JobState, event: JobEvent, now: number): Effect {
  switch (event.type) {
    case 'claim':
      return {
        attempt: job.attempt + 1,
        claimId: event.claimId,
        dueAt: now + event.leaseMs,
        startedAt: job.startedAt ?? now,
        lastAttemptAt: now,
      }
    case 'release':
      return released(job, now)
    case 'lose':
      return { lostLeases: job.lostLeases + 1, dueAt: now }
    case 'retry':
      return { ...settled(job, now), dueAt: now + event.delayMs, ...counted(job, event) }
    case 'succeed':
      return { ...settled(job, now), ...ended(job, now) }
    case 'fail':
      return { ...settled(job, now), errorClass: event.class, ...ended(job, now) }
    case 'abandon':
      return { errorClass: event.class, ...ended(job, now), ...leftOut(job, now) }
    case 'cancel':
      return { ...ended(job, now), ...leftOut(job, now) }
  }
}

/** One that has never really run is as it was accepted; another waits as for a retry that is due. */
function released(job: JobState, now: number): Effect {
  const given = { released: job.released + 1, releasedAttempt: job.attempt }
  if (attemptsOf(job) > 1) return { ...given, dueAt: now }
  const dueAt = releaseRank(job.createdAt, job.priority)
  return { ...given, status: 'accepted', dueAt, startedAt: null }
}

/** A claim that one holder gave back and another ran to its end was an attempt after all. */
const settled = (job: JobState, now: number) => ({
  settledAttempt: job.attempt,
  ...(job.releasedAttempt === job.attempt && { released: job.released - 1, startedAt: job.startedAt ?? now }),
})

const ended = (job: JobState, now: number) => ({
  dueAt: null,
  finishedAt: now,
  contentExpiresAt: now + job.retentionSeconds * 1000,
})

/** The attempt that is out may be heard of until its lease ends; after that its cost counts as unknown. */
const leftOut = (job: JobState, now: number) =>
  isOut(job) ? { bookBy: Math.max(now, (job.status === 'running' && job.dueAt) || now) } : {}

const counted = (
  { failures, unknownOutcomes }: JobState,
  { class: failed, unknown }: Extract<JobEvent, { type: 'retry' }>,
) => ({
  failures: { ...failures, [failed]: (failures[failed] ?? 0) + 1 },
  ...(unknown && { unknownOutcomes: unknownOutcomes + 1 }),
  lastErrorClass: failed,
})

/**
 * How far a priority moves a job in the order of release, in milliseconds of waiting. A fixed shift of the time of acceptance is
 * ageing: everything grows older at one pace, so nothing waits behind later arrivals for longer than its shift.
 */
const shifts: Record<Priority, number> = { high: -600_000, normal: 0, low: 3_600_000 }

export const releaseRank = (acceptedAt: number, priority: Priority) => acceptedAt + shifts[priority]
