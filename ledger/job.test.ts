import { describe, expect, it } from 'vitest'
import { type JobStatus, jobStatuses, type Priority } from '../openapi/jobs.ts'
import { advance, isTerminal, type JobEvent, type JobState, maySettle, releaseRank } from './job.ts'

const now = 1_000_000

const job = (state: Partial<JobState> = {}): JobState => ({
  status: 'accepted',
  attempt: 0,
  settledAttempt: 0,
  lostLeases: 0,
  failures: {},
  startedAt: null,
  retentionSeconds: 60,
  version: 1,
  ...state,
})

const events = {
  claim: { type: 'claim', claimId: 'message-1', leaseMs: 500 },
  lose: { type: 'lose' },
  retry: { type: 'retry', class: 'timeout', delayMs: 700 },
  succeed: { type: 'succeed' },
  fail: { type: 'fail', class: 'internal' },
  cancel: { type: 'cancel' },
} as const satisfies Record<JobEvent['type'], JobEvent>

type EventType = keyof typeof events
const eventTypes = Object.keys(events) as EventType[]

const moves: [JobStatus, EventType, JobStatus][] = [
  ['accepted', 'claim', 'running'],
  ['accepted', 'fail', 'failed'],
  ['accepted', 'cancel', 'cancelled'],
  ['running', 'lose', 'retrying'],
  ['running', 'retry', 'retrying'],
  ['running', 'succeed', 'succeeded'],
  ['running', 'fail', 'failed'],
  ['running', 'cancel', 'cancelled'],
  ['retrying', 'claim', 'running'],
  ['retrying', 'retry', 'retrying'],
  ['retrying', 'succeed', 'succeeded'],
  ['retrying', 'fail', 'failed'],
  ['retrying', 'cancel', 'cancelled'],
]
const refusals = jobStatuses
  .flatMap((status) => eventTypes.map((event) => [status, event] as const))
  .filter(([status, event]) => !moves.some(([from, type]) => from === status && type === event))

describe('a job', () => {
  it.each(moves)('that is %s moves by %s to %s, one version on', (status, event, next) => {
    expect(advance(job({ status, version: 4 }), events[event], now)).toMatchObject({
      status: next,
      version: 5,
    })
  })

  it.each(refusals)('that is %s refuses %s', (status, event) => {
    expect(advance(job({ status, attempt: 1 }), events[event], now)).toBeNull()
  })

  it('is over once it succeeded, failed or was cancelled', () => {
    expect(jobStatuses.filter(isTerminal)).toEqual(['succeeded', 'failed', 'cancelled'])
  })
})

describe('what an event changes', () => {
  const running = job({
    status: 'running',
    attempt: 2,
    settledAttempt: 1,
    startedAt: 5,
    failures: { timeout: 1 },
  })
  const claimed = { attempt: 1, claimId: 'message-1', dueAt: now + 500, startedAt: now, lastAttemptAt: now }
  const counted = { failures: { timeout: 2 }, lastErrorClass: 'timeout' }
  const ended = { dueAt: null, finishedAt: now, contentExpiresAt: now + 60_000 }

  it.each<[EventType, JobState, object]>([
    ['claim', job(), { status: 'running', ...claimed }],
    ['lose', running, { status: 'retrying', lostLeases: 1, dueAt: now }],
    ['retry', running, { status: 'retrying', settledAttempt: 2, dueAt: now + 700, ...counted }],
    ['succeed', running, { status: 'succeeded', settledAttempt: 2, ...ended }],
    ['fail', running, { status: 'failed', settledAttempt: 2, errorClass: 'internal', ...ended }],
    ['cancel', running, { status: 'cancelled', ...ended }],
  ])('is exactly this for %s', (event, state, change) => {
    expect(advance(state, events[event], now)).toEqual({ ...change, version: 2 })
  })

  it('counts each claim as an attempt and keeps the time of the first', () => {
    const again = job({ status: 'retrying', attempt: 3, startedAt: 5 })

    expect(advance(again, events.claim, now)).toMatchObject({ attempt: 4, startedAt: 5, lastAttemptAt: now })
  })

  it('counts failures by class', () => {
    const before = { timeout: 2, internal: 1 } as const

    const patch = advance(job({ status: 'running', failures: before }), events.retry, now)

    expect(patch?.failures).toEqual({ timeout: 3, internal: 1 })
  })

  it('ends the content at once where nothing is to be kept', () => {
    const patch = advance(job({ status: 'running', retentionSeconds: 0 }), events.succeed, now)

    expect(patch?.contentExpiresAt).toBe(now)
  })
})

describe('an attempt', () => {
  it.each<[string, Partial<JobState>, number, boolean]>([
    ['may settle while its lease runs', { status: 'running', attempt: 2, settledAttempt: 1 }, 2, true],
    ['may settle after its lease was lost', { status: 'retrying', attempt: 2, settledAttempt: 1 }, 2, true],
    ['may not settle after a newer claim', { status: 'running', attempt: 3, settledAttempt: 1 }, 2, false],
    ['may not settle before it was claimed', { status: 'retrying', attempt: 2, settledAttempt: 2 }, 3, false],
    ['may not settle twice', { status: 'retrying', attempt: 2, settledAttempt: 2 }, 2, false],
    ['may not settle a job that succeeded', { status: 'succeeded', attempt: 2, settledAttempt: 1 }, 2, false],
    ['may not settle a job that failed', { status: 'failed', attempt: 2, settledAttempt: 1 }, 2, false],
    ['may not settle a cancelled job', { status: 'cancelled', attempt: 2, settledAttempt: 1 }, 2, false],
  ])('%s', (_, state, attempt, expected) => {
    expect(maySettle(job(state), attempt)).toBe(expected)
  })
})

describe('the order of release', () => {
  it.each<[Priority, Priority, number]>([
    ['high', 'normal', 600_000],
    ['normal', 'low', 3_600_000],
  ])(
    'puts %s before %s, but not before one that has waited longer than the shift',
    (sooner, later, shift) => {
      expect(releaseRank(now + shift - 1, sooner)).toBeLessThan(releaseRank(now, later))
      expect(releaseRank(now + shift + 1, sooner)).toBeGreaterThan(releaseRank(now, later))
    },
  )

  it('is first come, first served within a priority', () => {
    expect(releaseRank(now, 'low')).toBeLessThan(releaseRank(now + 1, 'low'))
  })
})
