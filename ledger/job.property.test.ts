import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FailureClass, failureClasses, type JobStatus, jobStatuses } from '../openapi/job-words.ts'
import { failures, MAX_ATTEMPTS } from './failure.ts'
import { advance, attemptsOf, isOut, isTerminal, type JobEvent, type JobState, maySettle } from './job.ts'
import { judge, totalOf } from './judge.ts'

const backoff = { baseMs: 100, capMs: 5000 }
const failure = fc.constantFrom(...failureClasses)

const accepted: JobState = {
  status: 'accepted',
  attempt: 0,
  settledAttempt: 0,
  released: 0,
  releasedAttempt: 0,
  lostLeases: 0,
  failures: {},
  unknownOutcomes: 0,
  createdAt: 0,
  startedAt: null,
  dueAt: 0,
  priority: 'normal',
  retentionSeconds: 60,
  version: 1,
}

/** What can happen to a job, in any order; a settlement may be of any attempt, and come late or twice. */
const happening = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ type: 'claim' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('settle' as const), back: fc.nat(2), class: failure }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('finish' as const), back: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.constantFrom({ type: 'lose' as const }, { type: 'release' as const }) },
  { weight: 1, arbitrary: fc.constantFrom({ type: 'cancel' as const }, { type: 'abandon' as const }) },
)
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

/** The event that the ledger makes of it; null where it refuses. */
function eventOf(job: JobState, what: Happening): JobEvent | null {
  switch (what.type) {
    case 'claim':
      return { type: 'claim', claimId: 'm', leaseMs: 1000 }
    case 'abandon':
      return { type: 'abandon', class: 'deadline_exceeded' }
    case 'finish':
      return maySettle(job, job.attempt - what.back) ? { type: 'succeed' } : null
    case 'settle': {
      if (!maySettle(job, job.attempt - what.back)) return null
      const verdict = judge({ class: what.class, retryAfterMs: null }, job.failures, backoff, () => 0.5)
      return verdict.kind === 'fail'
        ? { type: 'fail', class: what.class }
        : { type: 'retry', class: what.class, delayMs: verdict.delayMs, unknown: what.class === 'timeout' }
    }
    default:
      return what
  }
}

/** All states that a job goes through, one for each move. */
function lifeOf(happenings: Happening[]): JobState[] {
  const states = [accepted]
  for (const [now, what] of happenings.entries()) {
    const job = states.at(-1) ?? accepted
    const event = eventOf(job, what)
    const patch = event && advance(job, event, now)
    if (patch) states.push({ ...job, ...patch })
  }
  return states
}

const always = (holds: (states: JobState[]) => void) =>
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => holds(lifeOf(happenings))),
    { numRuns: 2000 },
  )

describe('whatever happens to a job', () => {
  it('it ends once, and nothing moves it after that', () => {
    always((states) => {
      const ends = states.filter(({ status }) => isTerminal(status))
      expect(ends.length).toBeLessThanOrEqual(1)
      if (ends.length === 1) expect(isTerminal(states.at(-1)?.status ?? 'accepted')).toBe(true)
    })
  })

  it('it is due at some time as long as it has not ended, and never after', () => {
    always((states) => {
      for (const { status, dueAt } of states) expect(dueAt === null).toBe(isTerminal(status))
    })
  })

  it('its numbers only grow, the version by one with each move', () => {
    always((states) => {
      for (const [at, job] of states.entries()) {
        const before = states[at - 1] ?? { ...job, version: job.version - 1 }
        expect(job.version).toBe(before.version + 1)
        expect(job.attempt).toBeGreaterThanOrEqual(before.attempt)
        expect(job.settledAttempt).toBeGreaterThanOrEqual(before.settledAttempt)
        expect(job.lostLeases).toBeGreaterThanOrEqual(before.lostLeases)
      }
    })
  })

  it('no attempt settles twice, and none before it was claimed', () => {
    always((states) => {
      for (const job of states) {
        expect(job.settledAttempt).toBeLessThanOrEqual(job.attempt)
        for (let attempt = 1; attempt <= job.settledAttempt; attempt++)
          expect(maySettle(job, attempt)).toBe(false)
        expect(maySettle(job, job.attempt + 1)).toBe(false)
      }
    })
  })

  it('its attempts add up: each claim failed, was lost, was given back, settled it, or is out', () => {
    always((states) => {
      const job = states.at(-1) ?? accepted
      const real = attemptsOf(job)
      expect(real).toBeGreaterThanOrEqual(0)
      expect(real).toBeGreaterThanOrEqual(totalOf(job.failures))
      const settledLast = isTerminal(job.status) && job.settledAttempt > (states.at(-2)?.settledAttempt ?? 0)
      const leftOver = real - totalOf(job.failures) - (settledLast ? 1 : 0)
      expect(leftOver).toBeGreaterThanOrEqual(0)
      expect(leftOver).toBeLessThanOrEqual(job.lostLeases + (isOut(job) ? 1 : 0))
    })
  })

  it('it fails no class more often than the class allows, and eight times at most in all', () => {
    always((states) => {
      for (const job of states) {
        expect(totalOf(job.failures)).toBeLessThan(MAX_ATTEMPTS)
        for (const [name, count] of Object.entries(job.failures))
          expect(count).toBeLessThan(failures[name as FailureClass].attempts)
        expect(job.unknownOutcomes).toBeLessThanOrEqual(totalOf(job.failures))
      }
    })
  })

  it('the wait for an attempt that was out at the end has an end, and there is none without such an attempt', () => {
    always((states) => {
      const before = states.at(-2)
      const last = states.at(-1) as JobState & { bookBy?: number }
      if (!before || !isTerminal(last.status)) return
      const unheard = isOut(before) && last.settledAttempt < last.attempt
      expect(last.bookBy !== undefined).toBe(unheard)
    })
  })
})

describe('a job that only ever fails', () => {
  it('ends after eight failures at most, whatever their classes', () => {
    fc.assert(
      fc.property(fc.array(failure, { minLength: MAX_ATTEMPTS, maxLength: 20 }), (classes) => {
        const happenings = classes.flatMap((one) => [
          { type: 'claim' as const },
          { type: 'settle' as const, back: 0, class: one },
        ])
        const last = lifeOf(happenings).at(-1)
        expect(last?.status).toBe('failed')
        expect(attemptsOf(last ?? accepted)).toBeLessThanOrEqual(MAX_ATTEMPTS)
      }),
    )
  })
})

describe('a verdict', () => {
  const counts = fc.dictionary(failure, fc.nat(8), { maxKeys: 4 })
  const share = fc.double({ min: 0, max: 1, noNaN: true })

  it('keeps the wait between what the provider asked for and the larger of that and the cap', () => {
    const asked = fc.option(fc.nat(10_000_000), { nil: null })
    fc.assert(
      fc.property(failure, asked, counts, share, (failed, retryAfterMs, before, random) => {
        const verdict = judge({ class: failed, retryAfterMs }, before, backoff, () => random)
        if (verdict.kind === 'fail') return
        expect(verdict.delayMs).toBeGreaterThanOrEqual(retryAfterMs ?? 0)
        expect(verdict.delayMs).toBeLessThanOrEqual(Math.max(backoff.capMs, retryAfterMs ?? 0))
      }),
    )
  })

  it('is final for what only the customer, or only operators, can mend', () => {
    const once = failureClasses.filter((name) => failures[name].attempts === 1)
    fc.assert(
      fc.property(fc.constantFrom(...once), counts, (failed, before) => {
        expect(judge({ class: failed, retryAfterMs: 1 }, before, backoff, () => 0).kind).toBe('fail')
      }),
    )
  })

  it('does not soften with more failures behind it', () => {
    fc.assert(
      fc.property(failure, counts, failure, (failed, before, more) => {
        const judged = (all: object) =>
          judge({ class: failed, retryAfterMs: null }, all, backoff, () => 0).kind
        const worse = { ...before, [more]: (before[more] ?? 0) + 1 }
        if (judged(before) === 'fail') expect(judged(worse)).toBe('fail')
      }),
    )
  })
})

describe('every status', () => {
  it.each(jobStatuses)('%s is one that a job can be in', (status) => {
    const reached = new Set<JobStatus>()
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 30 }), (happenings) => {
        for (const job of lifeOf(happenings)) reached.add(job.status)
      }),
      { numRuns: 2000 },
    )
    expect(reached.has(status)).toBe(true)
  })
})
