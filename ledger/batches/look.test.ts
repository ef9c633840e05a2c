import { describe, expect, it } from 'vitest'
import { fateOf, type LookedAt, type LookLimits, look, pollDelayMs } from './look.ts'

const now = 1_800_000_000_000
const limits: LookLimits = {
  freePlaces: 10,
  hasRoomForItems: true,
  suspended: false,
  longestWaitMs: 5000,
}

const chunk = (number: number, more: Partial<LookedAt> = {}): LookedAt => ({
  chunk: number,
  state: 'planned',
  path: 'batch',
  dueAt: now,
  callOffs: 0,
  contentDeletedAt: null,
  items: 4,
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  expired: 0,
  allowed: true,
  ...more,
})

const idle = { kind: 'work', submit: [], poll: [], open: [], gather: [], callOff: [] }

describe('a look', () => {
  it.each<[string, Partial<LookedAt>, object]>([
    ['submits what is planned and due', {}, { submit: [0] }],
    ['leaves what is not due', { dueAt: now + 1000 }, { waitMs: 1000 }],
    ['leaves what is not allowed', { allowed: false }, { waitMs: 5000 }],
    ['reconciles what began and has no outcome', { state: 'submitting', allowed: false }, { submit: [0] }],
    ['polls what is due at its provider', { state: 'submitted' }, { poll: [0] }],
    ['waits for what is at its provider', { state: 'submitted', dueAt: now + 300 }, { waitMs: 300 }],
    ['waits for a decision about what is unknown', { state: 'unknown', dueAt: null }, { waitMs: 5000 }],
    ['opens jobs of a chunk that runs singly', { path: 'jobs' }, { open: [0] }],
    ['goes on opening them', { path: 'jobs', state: 'submitting' }, { open: [0] }],
    ['opens none where all have ended', { path: 'jobs', cancelled: 4 }, { waitMs: 5000 }],
    ['opens none that are not allowed', { path: 'jobs', allowed: false }, { waitMs: 5000 }],
    ['waits for jobs that are open', { path: 'jobs', state: 'submitted', succeeded: 3 }, { waitMs: 5000 }],
    ['gathers once they have ended', { path: 'jobs', state: 'submitted', succeeded: 4 }, { gather: [0] }],
    [
      'gathers nothing of jobs that all failed',
      { path: 'jobs', state: 'submitted', failed: 4 },
      { waitMs: 5000 },
    ],
    [
      'gathers nothing whose content has been deleted',
      { path: 'jobs', state: 'submitted', succeeded: 4, contentDeletedAt: now },
      { waitMs: 5000 },
    ],
    [
      'gathers nothing of what is at its provider',
      { state: 'submitted', succeeded: 4, dueAt: now + 300 },
      { waitMs: 300 },
    ],
    ['calls off what was given up', { state: 'cancelled', cancelled: 4, callOffs: 1 }, { callOff: [0] }],
    ['leaves what is collected', { state: 'collected', succeeded: 4 }, { waitMs: 5000 }],
  ])('%s', (_, more, work) => {
    expect(look([chunk(0, more)], limits, now)).toEqual({ ...idle, waitMs: null, ...work })
  })

  it('submits no more than there are places, but reconciles whatever there are', () => {
    const chunks = [chunk(0), chunk(1, { state: 'submitting' }), chunk(2), chunk(3)]

    expect(look(chunks, { ...limits, freePlaces: 1 }, now).submit).toEqual([1, 0])
    expect(look(chunks, { ...limits, freePlaces: 0 }, now).submit).toEqual([1])
    expect(look([...chunks, chunk(4)], { ...limits, freePlaces: -3 }, now).submit).toEqual([1])
  })

  it('opens no jobs without room for them, and comes again before those that are open have run out', () => {
    const chunks = [chunk(0, { path: 'jobs' }), chunk(1, { path: 'jobs', state: 'submitted' })]
    const full = { ...limits, hasRoomForItems: false, longestWaitMs: 300_000 }

    expect(look(chunks, full, now)).toEqual({ ...idle, waitMs: 5000 })
    expect(look(chunks.slice(1), full, now)).toEqual({ ...idle, waitMs: 300_000 })
  })

  it('sends nothing new for a suspended tenant, and takes in what is out', () => {
    const chunks = [
      chunk(0),
      chunk(1, { path: 'jobs' }),
      chunk(2, { state: 'submitted' }),
      chunk(3, { path: 'jobs', state: 'submitted', succeeded: 4 }),
    ]

    expect(look(chunks, { ...limits, suspended: true }, now)).toMatchObject({
      submit: [],
      open: [],
      poll: [2],
      gather: [3],
    })
    const patient = { ...limits, suspended: true, longestWaitMs: 300_000 }
    expect(look(chunks.slice(0, 2), patient, now)).toEqual({ ...idle, waitMs: 300_000 })
  })
})

describe('between two looks at a provider', () => {
  const poll = { baseMs: 1000, capMs: 10_000 }

  it('the time grows, up to the cap', () => {
    expect([0, 1, 2, 5, 6, 100].map((polls) => pollDelayMs(polls, poll, () => 1))).toEqual([
      1000, 1500, 2250, 7594, 10_000, 10_000,
    ])
  })

  it('the time is between half of that and all of it', () => {
    expect([0, 0.5, 1].map((random) => pollDelayMs(0, poll, () => random))).toEqual([500, 750, 1000])
  })
})

describe('at its deadline a batch', () => {
  const batch = { createdAt: now, deadlineAt: now + 1000 }

  it.each([
    ['expire', 999, 'none'],
    ['expire', 1000, 'expire'],
    ['expire', 1999, 'expire'],
    ['expire', 2000, 'over'],
    ['run_individually', 999, 'none'],
    ['run_individually', 1000, 'run_individually'],
    ['run_individually', 2000, 'over'],
  ] as const)('that is to %s, %i ms after it was made: %s', (onDeadline, after, fate) => {
    expect(fateOf({ ...batch, onDeadline }, now + after)).toBe(fate)
  })
})
