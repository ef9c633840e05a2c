import { describe, expect, it } from 'vitest'
import { closed, granted, MINUTE, newGate, PERMIT_MS, SECOND, start } from './policy.fixture.ts'

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
