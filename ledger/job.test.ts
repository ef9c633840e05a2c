import { describe, expect, it } from 'vitest'
import { type JobStatus, jobStatuses, type Priority } from '../openapi/job-words.ts'
import {
  advance,
  attemptsOf,
  isTerminal,
  type JobEvent,
  type JobState,
  maySettle,
  releaseRank,
} from './job.ts'

const now = 1_000_000

const job = (state: Partial<JobState> = {}): JobState => ({
  status: 'accepted',
  attempt: 0,
  settledAttempt: 0,
  released: 0,
  releasedAttempt: 0,
  lostLeases: 0,
  failures: {},
  unknownOutcomes: 0,
  createdAt: 1000,
  startedAt: null,
  dueAt: 2000,
  priority: 'normal',
  retentionSeconds: 60,
  version: 1,
  ...state,
})

const events = {
  claim: { type: 'claim', claimId: 'message-1', leaseMs: 500 },
  release: { type: 'release' },
  lose: { type: 'lose' },
  retry: { type: 'retry', class: 'timeout', delayMs: 700, unknown: true },
  succeed: { type: 'succeed' },
  fail: { type: 'fail', class: 'internal' },
  abandon: { type: 'abandon', class: 'deadline_exceeded' },
  cancel: { type: 'cancel' },
} as const satisfies Record<JobEvent['type'], JobEvent>

type EventType = keyof typeof events
const eventTypes = Object.keys(events) as EventType[]

const moves: [JobStatus, EventType, JobStatus][] = [
  ['accepted', 'claim', 'running'],
  ['accepted', 'retry', 'retrying'],
  ['accepted', 'succeed', 'succeeded'],
  ['accepted', 'fail', 'failed'],
  ['accepted', 'abandon', 'failed'],
  ['accepted', 'cancel', 'cancelled'],
  ['running', 'release', 'accepted'],
  ['running', 'lose', 'retrying'],
  ['running', 'retry', 'retrying'],
  ['running', 'succeed', 'succeeded'],
  ['running', 'fail', 'failed'],
  ['running', 'abandon', 'failed'],
  ['running', 'cancel', 'cancelled'],
  ['retrying', 'claim', 'running'],
  ['retrying', 'retry', 'retrying'],
  ['retrying', 'succeed', 'succeeded'],
  ['retrying', 'fail', 'failed'],
  ['retrying', 'abandon', 'failed'],
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
    dueAt: now + 400,
    failures: { timeout: 1 },
  })
  const claimed = { attempt: 1, claimId: 'message-1', dueAt: now + 500, startedAt: now, lastAttemptAt: now }
  const counted = { failures: { timeout: 2 }, unknownOutcomes: 1, lastErrorClass: 'timeout' }
  const ended = { dueAt: null, finishedAt: now, contentExpiresAt: now + 60_000 }

  it.each<[EventType, JobState, object]>([
    ['claim', job(), { status: 'running', ...claimed }],
    ['lose', running, { status: 'retrying', lostLeases: 1, dueAt: now }],
    ['retry', running, { status: 'retrying', settledAttempt: 2, dueAt: now + 700, ...counted }],
    ['succeed', running, { status: 'succeeded', settledAttempt: 2, ...ended }],
    ['fail', running, { status: 'failed', settledAttempt: 2, errorClass: 'internal', ...ended }],
    ['abandon', running, { status: 'failed', errorClass: 'deadline_exceeded', bookBy: now + 400, ...ended }],
    ['cancel', running, { status: 'cancelled', bookBy: now + 400, ...ended }],
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

describe('a claim that is given back', () => {
  const given = { released: 1, releasedAttempt: 1 }
  const first = job({ status: 'running', attempt: 1, startedAt: now, dueAt: now + 400 })

  it('leaves a job that has never run as it was accepted', () => {
    expect(advance(first, events.release, now)).toEqual({
      ...given,
      status: 'accepted',
      dueAt: releaseRank(1000, 'normal'),
      startedAt: null,
      version: 2,
    })
    expect(attemptsOf({ attempt: 1, released: 1 })).toBe(0)
  })

  it.each<[string, Partial<JobState>]>([
    ['after a failure', { attempt: 2, settledAttempt: 1 }],
    ['after a lost lease', { attempt: 2, lostLeases: 1 }],
    ['after others that were given back and one that was not', { attempt: 4, released: 2 }],
  ])('leaves a job waiting for its retry, due now, %s', (_, state) => {
    expect(advance({ ...first, ...state }, events.release, now)).toMatchObject({
      status: 'retrying',
      dueAt: now,
    })
  })

  it('counts as an attempt after all when another holder of it settles', () => {
    const state = job({ status: 'accepted', attempt: 1, ...given })

    expect(maySettle(state, 1)).toBe(true)
    expect(advance(state, events.succeed, now)).toMatchObject({
      settledAttempt: 1,
      released: 0,
      startedAt: now,
    })
  })

  it('is not out, so its cost is never unknown', () => {
    const state = job({ status: 'retrying', attempt: 2, settledAttempt: 1, released: 1, releasedAttempt: 2 })

    expect(advance(state, events.cancel, now)).not.toHaveProperty('bookBy')
  })
})

describe('an attempt that is out when the job ends', () => {
  it.each<[string, Partial<JobState>, number | undefined]>([
    ['until its lease ends', { status: 'running', attempt: 1, dueAt: now + 400 }, now + 400],
    ['no longer when its lease was lost', { status: 'retrying', attempt: 1, dueAt: now + 400 }, now],
    ['not at all when it had settled', { status: 'retrying', attempt: 1, settledAttempt: 1 }, undefined],
    ['not at all when there was none', { status: 'accepted' }, undefined],
  ])('is waited for %s', (_, state, bookBy) => {
    expect(advance(job(state), events.cancel, now)?.bookBy).toBe(bookBy)
    expect(advance(job(state), events.abandon, now)?.bookBy).toBe(bookBy)
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
