import { describe, expect, it } from 'vitest'
import { type CallReport, GatePolicy } from './policy.ts'

const start = 1_000_000_000
const PERMIT_MS = 180_000
const SECOND = 1000
const MINUTE = 60_000

const limits = { requestsPerMinute: 100, tokensPerMinute: 1000, concurrent: 4 }

function newGate(rest: Partial<typeof limits> = {}) {
  const policy = new GatePolicy({ ...limits, ...rest }, { permitMs: PERMIT_MS, pauseMs: SECOND }, start)
  let asked = 0
  return {
    policy,
    ask: (tenantId = 'a', now = start, tokens = 1, permit = `permit-${asked++}`, jobId = permit) =>
      policy.ask({ permit, jobId, tenantId, tokens }, now),
    report: (
      permit: string,
      outcome: CallReport['outcome'],
      now = start,
      retryAfterMs: number | null = null,
    ) => policy.report({ permit, outcome, retryAfterMs }, now),
  }
}

const granted = { granted: true }
const closed = (notBefore: number) => ({ granted: false, notBefore })

describe('a gate', () => {
  it('lets no more calls through at once than its limit, and the next when one has ended', () => {
    const { ask, report } = newGate()
    for (let at = 0; at < 4; at++) expect(ask()).toEqual(granted)

    expect(ask()).toEqual(closed(start + SECOND))
    report('permit-2', 'answered')

    expect(ask()).toEqual(granted)
    expect(ask()).toMatchObject({ granted: false })
  })

  it('says to a call again what it said before, since two consumers can hold the same claim', () => {
    const { ask, report } = newGate({ concurrent: 1 })
    ask('a', start, 1, 'one')
    ask('a', start, 1, 'two')
    report('one', 'answered')

    expect(ask('a', start, 1, 'two')).toMatchObject({ granted: false })
    expect(ask('a', start, 1, 'three')).toEqual(granted)
    expect(ask('a', start, 1, 'one')).toEqual(granted)
  })

  it('gives the same permit again to who asks again', () => {
    const { ask } = newGate({ concurrent: 1 })
    expect(ask('a', start, 1, 'one')).toEqual(granted)

    expect(ask('a', start, 1, 'one')).toEqual(granted)
    expect(ask('a', start, 1, 'two')).toMatchObject({ granted: false })
  })

  it('leaks no slot of a call that is never reported', () => {
    const { ask } = newGate({ concurrent: 1 })
    ask()

    expect(ask('a', start + PERMIT_MS - 1)).toMatchObject({ granted: false })
    expect(ask('a', start + PERMIT_MS)).toEqual(granted)
  })

  it('ends the permit of an attempt whose consumer died as soon as the job asks for the next', () => {
    const { ask } = newGate({ concurrent: 1 })
    ask('a', start, 1, 'job-1', 'job')

    expect(ask('a', start, 1, 'other-1', 'other')).toMatchObject({ granted: false })
    expect(ask('a', start, 1, 'job-2', 'job')).toEqual(granted)
  })

  it('lets no more calls through in a minute than its limit', () => {
    const { ask, report } = newGate({ requestsPerMinute: 2 })
    for (const permit of ['one', 'two']) {
      expect(ask('a', start, 1, permit)).toEqual(granted)
      report(permit, 'answered')
    }

    const answer = ask()

    expect(answer).toMatchObject({ granted: false })
    const { notBefore } = answer as { notBefore: number }
    expect(notBefore).toBeGreaterThan(start + MINUTE - SECOND)
    expect(notBefore).toBeLessThanOrEqual(start + MINUTE + 2 * SECOND)
    expect(ask('a', notBefore)).toEqual(granted)
  })

  it('lets no more tokens through in a minute than its limit, and a larger call when a whole minute is free', () => {
    const { ask } = newGate({ tokensPerMinute: 100 })
    expect(ask('a', start, 60)).toEqual(granted)

    expect(ask('a', start, 50)).toMatchObject({ granted: false })
    expect(ask('a', start, 40)).toEqual(granted)
    expect(ask('a', start, 500)).toMatchObject({ granted: false })
    expect(ask('a', start + 2 * MINUTE, 500)).toEqual(granted)
  })
})

describe('a gate whose provider refuses', () => {
  it('closes for a second, then for twice as long each time, and for a minute at most', () => {
    const { ask, report } = newGate()
    let now = start
    const pauses = Array.from({ length: 8 }, () => {
      ask('a', now, 1, 'one')
      report('one', 'limited', now)
      const answer = ask('a', now) as { notBefore: number }
      const pause = answer.notBefore - now
      now = answer.notBefore
      return pause / SECOND
    })

    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  })

  it('closes for as long as the provider says, for all tenants', () => {
    const { ask, report } = newGate()
    ask('a', start, 1, 'one')
    report('one', 'limited', start, 20_000)

    expect(ask('b')).toEqual(closed(start + 20_000))
    expect(ask('b', start + 20_000)).toEqual(granted)
  })

  it('believes no header for longer than a minute', () => {
    const { ask, report } = newGate()
    ask('a', start, 1, 'one')
    report('one', 'limited', start, 1e12)

    expect(ask('b')).toEqual(closed(start + MINUTE))
  })

  it('takes refusals of calls that were out together as one', () => {
    const { ask, report } = newGate()
    for (const permit of ['one', 'two', 'three']) ask('a', start, 1, permit)
    for (const permit of ['one', 'two', 'three']) report(permit, 'limited')

    expect(ask()).toEqual(closed(start + SECOND))
  })

  it('begins anew once an answer came', () => {
    const { ask, report } = newGate()
    for (const at of [start, start + SECOND]) {
      ask('a', at, 1, 'one')
      report('one', 'limited', at)
    }
    const later = start + MINUTE
    ask('a', later, 1, 'one')
    report('one', 'answered', later)
    ask('a', later, 1, 'two')
    report('two', 'limited', later)

    expect(ask('a', later)).toEqual(closed(later + SECOND))
  })

  it('stays open after failures of other kinds', () => {
    const { ask, report } = newGate()
    ask('a', start, 1, 'one')
    report('one', 'other')

    expect(ask()).toEqual(granted)
  })
})

describe('the share of a tenant', () => {
  it('is everything while nobody else waits', () => {
    const { ask } = newGate()

    expect(Array.from({ length: 4 }, () => ask('a'))).toEqual(Array(4).fill(granted))
  })

  it('shrinks to its part once another waits, so that the other gets the next slots', () => {
    const { ask, report } = newGate()
    for (let at = 0; at < 4; at++) ask('a')
    expect(ask('b')).toMatchObject({ granted: false })
    report('permit-0', 'answered')

    expect(ask('a')).toMatchObject({ granted: false })
    expect(ask('b')).toEqual(granted)
  })

  it('is the first turn of all after ten seconds, so that a large call finds its tokens together', () => {
    const { ask, report } = newGate({ tokensPerMinute: 100, concurrent: 4 })
    let neighbours = 0
    let grantedAt = 0
    for (let now = start; now < start + 10 * MINUTE && grantedAt === 0; now += SECOND) {
      for (const permit of [`small-${now}-1`, `small-${now}-2`])
        if (ask('neighbour', now, 1, permit).granted) {
          neighbours++
          report(permit, 'answered', now)
        }
      if (now > start + MINUTE && ask('large', now, 90, `large-${now}`).granted) grantedAt = now
    }

    expect(grantedAt).toBeGreaterThan(0)
    expect(grantedAt - start).toBeLessThan(4 * MINUTE)
    expect(neighbours).toBeGreaterThan(100)
    expect(ask('neighbour', grantedAt + SECOND, 1, 'after').granted).toBe(true)
  })

  it('keeps nobody out for others that have waited longer while there are tokens for both', () => {
    const { ask, report } = newGate({ concurrent: 2 })
    ask('a', start, 1, 'one')
    ask('a', start, 1, 'two')
    ask('b', start, 10, 'three')
    const later = start + 11 * SECOND
    ask('b', later, 10, 'four')
    report('one', 'answered', later)
    report('two', 'answered', later)

    expect(ask('c', later)).toEqual(granted)
  })

  it('grows again when the other has gone', () => {
    const { ask, report } = newGate()
    for (let at = 0; at < 4; at++) ask('a')
    ask('b')
    report('permit-0', 'answered')

    expect(ask('a', start + 17 * SECOND)).toEqual(granted)
  })
})

describe('a gate of chunks', () => {
  const out = (policy: GatePolicy, permit: string, now = start, jobId = permit) =>
    policy.hold({ permit, jobId, tenantId: 'a' }, now)

  it('counts what is out though it was never asked about it', () => {
    const { policy, ask } = newGate({ concurrent: 2 })
    out(policy, 'one')
    out(policy, 'two')

    expect(ask()).toMatchObject({ granted: false })
  })

  it('counts a chunk that is out once, under whatever name it asked', () => {
    const { policy, ask } = newGate({ concurrent: 2 })
    ask('a', start, 0, 'one/1', 'one')
    out(policy, 'one')

    expect(ask('a', start, 0, 'two/1', 'two')).toEqual(granted)
    expect(ask('a', start, 0, 'three/1', 'three')).toMatchObject({ granted: false })
  })

  it('lets a permit end that is not held anew', () => {
    const { policy, ask } = newGate({ concurrent: 1 })
    out(policy, 'one')
    out(policy, 'one', start + PERMIT_MS - 1)

    expect(ask('a', start + PERMIT_MS)).toMatchObject({ granted: false })
    expect(ask('a', start + 2 * PERMIT_MS)).toEqual(granted)
  })
})
